// What other slices may ask of labels.
export { findLabelId, getLabel, listLabelIdsByName } from './queries.ts'
