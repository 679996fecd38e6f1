import PhotoSwipeLightbox from './photoswipe-lightbox.esm.min.js';

// Opens the photographs of a listing over the page, as large as they are.
const lightbox = new PhotoSwipeLightbox({
  gallery: '.shots', children: 'a', pswpModule: () => import('./photoswipe.esm.min.js'),
  closeTitle: 'Fermer', zoomTitle: 'Agrandir', arrowPrevTitle: 'Photographie précédente', arrowNextTitle: 'Photographie suivante', errorMsg: 'La photographie ne peut pas être lue.',
});
lightbox.addFilter('domItemData', (data, _, link) => ({ ...data, srcset: link.querySelector('img').srcset }));
lightbox.on('initialLayout', () => lightbox.pswp.element.setAttribute('aria-label', 'Photographies'));
lightbox.init();
