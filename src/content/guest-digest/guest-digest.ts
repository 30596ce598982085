// Digests for guests, for other features.
export { deleteDigestsTo } from './queries.ts'
