// What other slices may ask of labels.
export { labelHandlers, labellingOf } from './labelling.ts'
