// What other slices may ask of labels.
export { findLabelId, getLabel } from './queries.ts'
