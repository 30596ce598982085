// Starts the server: `npm start`. Modules loaded from here on are compiled once and cached, so that the next start is fast.
import { enableCompileCache } from 'node:module'
import { builtProgram } from './start/built-server.ts'

enableCompileCache()
const built = builtProgram('server')
await (built === undefined ? import('./start/processes.ts') : import(built))
