// What other slices may ask of the library.
export {
  addGalleryOrg,
  addToGalleryOrg,
  cleanUp,
  isArtifactUsed,
  removeGalleryOrg,
  updateGalleryOrg,
} from './items/items.ts'
