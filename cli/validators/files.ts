// What the command line reads of the files of items: an entry of the bundle.
import './older-node.ts'

export { readPermissions } from '../../src/formats/file-permissions.ts'
export { compareFiles } from '../../src/formats/item-comparison.ts'
