// Starts the server: `npm start`. Modules loaded from here on are compiled once and cached, so that the next start is fast.
import { enableCompileCache } from 'node:module'
import { optimizeFromNow, optimizeNothing } from './runtime/memory.ts'
import { builtProgram } from './start/built-server.ts'

optimizeNothing()
const built = builtProgram('server')
// A start from the sources builds the server and the site: that is work that repeats.
if (built === undefined) optimizeFromNow()
enableCompileCache()
await (built === undefined ? import('./start/processes.ts') : import(built))
