// Shows the towns of the list beside on a map. Streets are asked for on a click only, as their server learns who looks at what.
const place = document.getElementById('map');
const towns = [...document.querySelectorAll('[data-latitude]')];
if (place && towns.length) {
  place.hidden = false;
  const map = L.map(place, { zoomControl: false, zoomSnap: .5, maxZoom: 17 });
  L.control.zoom({ zoomInTitle: 'Agrandir', zoomOutTitle: 'Réduire' }).addTo(map);
  map.attributionControl.setPrefix('<a href="https://leafletjs.com">Leaflet</a>');
  const france = [[41.37328, -5.18644], [51.08639, 9.58303]];
  L.imageOverlay(place.dataset.outlines, france, { attribution: '<a href="https://github.com/VictorCazanave/svg-maps">svg-maps</a>, CC BY 4.0', alt: '' }).addTo(map);
  const pointOf = town => [Number(town.dataset.latitude), Number(town.dataset.longitude)];
  map.fitBounds(towns.map(pointOf), { padding: [40, 40], maxZoom: 12 });
  const layer = L.layerGroup().addTo(map);
  towns.sort((a, b) => b.dataset.count - a.dataset.count);

  // Draws a marker a town. Towns whose markers would cover each other share one, which a click takes apart.
  const draw = () => {
    const groups = [];
    for (const town of towns) {
      const at = map.latLngToLayerPoint(pointOf(town));
      const near = groups.find(group => group.at.distanceTo(at) < 44);
      if (near) near.towns.push(town);
      else groups.push({ at, towns: [town] });
    }
    layer.clearLayers();
    for (const { towns } of groups) {
      const links = towns.map(town => town.querySelector('a'));
      const count = towns.reduce((sum, town) => sum + Number(town.dataset.count), 0);
      const name = `${count} ${count > 1 ? 'annonces' : 'annonce'} : ${towns.slice(0, 3).map(town => town.dataset.name).join(', ')}${towns.length > 3 ? '…' : ''}`;
      const open = () => {
        if (towns.length > 1 && map.getZoom() < map.getMaxZoom()) map.fitBounds(towns.map(pointOf), { padding: [60, 60] });
        else location = links[0].href;
      };
      const marker = L.marker(pointOf(towns[0]), {
        icon: L.divIcon({ className: 'town', html: String(count), iconSize: [38, 38] }), alt: name, title: name, keyboard: true,
      }).addTo(layer).on('click', open);
      const element = marker.getElement();
      element.setAttribute('aria-label', name);
      element.addEventListener('keydown', e => { if (e.key === 'Enter') open(); });
    }
  };
  map.on('zoomend', draw);
  draw();
  const streets = document.getElementById('streets');
  streets?.addEventListener('click', () => {
    L.tileLayer(streets.dataset.tiles, { attribution: streets.dataset.credit }).addTo(map);
    streets.remove();
  });
}
