// What other slices may ask of labels.
export { getLabel } from './queries.ts'
