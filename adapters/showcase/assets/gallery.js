import PhotoSwipeLightbox from './photoswipe-lightbox.esm.min.js';

// Opens the photographs of a listing over the page, as large as they are.
new PhotoSwipeLightbox({
  gallery: '.shots', children: 'a', pswpModule: () => import('./photoswipe.esm.min.js'),
  closeTitle: 'Fermer', zoomTitle: 'Agrandir', arrowPrevTitle: 'Photographie précédente', arrowNextTitle: 'Photographie suivante', errorMsg: 'La photographie ne peut pas être lue.',
}).init();
