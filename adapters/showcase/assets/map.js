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
  for (const town of towns) {
    const link = town.querySelector('a');
    const marker = L.marker(pointOf(town), {
      icon: L.divIcon({ className: 'town', html: town.dataset.count, iconSize: [36, 36] }), alt: link.textContent.trim(), title: link.textContent.trim(), keyboard: true,
    }).addTo(map).on('click', () => { location = link.href; });
    marker.getElement().addEventListener('keydown', e => { if (e.key === 'Enter') location = link.href; });
  }
  const streets = document.getElementById('streets');
  streets?.addEventListener('click', () => {
    L.tileLayer(streets.dataset.tiles, { attribution: streets.dataset.credit }).addTo(map);
    streets.remove();
  });
}
