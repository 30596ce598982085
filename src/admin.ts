// The operator's commands: `npm run admin -- <command>`. They work while the server runs.
import { builtProgram } from './start/built-server.ts'

const built = builtProgram('admin')
await (built === undefined ? import('./start/commands.ts') : import(built))
