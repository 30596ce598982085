// Running counts, changed in the transaction that changes what they count: a list of any size knows its total at once.
export { addToTally } from './queries.ts'
