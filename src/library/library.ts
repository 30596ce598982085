// What other slices may ask of the library.
export {
  addGalleryOrg,
  addToGalleryOrg,
  cleanUp,
  type GalleryOrg,
  isArtifactUsed,
  listArtifacts,
  listUses,
  removeGalleryOrg,
  updateGalleryOrg,
} from './items/items.ts'
