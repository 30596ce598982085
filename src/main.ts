// Starts the server: `npm start`. Modules loaded from here on are compiled once and cached, and found without the disk, so that the next
// start is fast.
import { enableCompileCache } from 'node:module'
import { resolveQuickly } from './start/resolving.ts'

enableCompileCache()
resolveQuickly()
await import('./start/processes.ts')
