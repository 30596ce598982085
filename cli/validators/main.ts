// What the command line needs of the formats: bundled into one file by build.js.
import './older-node.ts'

export { lint } from './lint.ts'
export { filesOf } from './new.ts'
export { packFolder } from './pack.ts'
