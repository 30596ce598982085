// What the command line reads of the files of items: an entry of the bundle.
import './older-node.ts'

export { compareFiles } from '../../src/formats/kinds/item-comparison.ts'
export { clientFiles } from '../../src/formats/kinds/mcp-server/client-files.ts'
export { serverFileChange } from '../../src/formats/kinds/mcp-server/place.ts'
export { readPermissions } from '../../src/formats/kinds/reading.ts'
export { readSkillFiles } from '../../src/formats/kinds/skill/files.ts'
