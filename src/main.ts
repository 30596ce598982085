// Starts the server: `npm start`. Modules loaded from here on are compiled once and cached, so that the next start is fast.
import { enableCompileCache } from 'node:module'

enableCompileCache()
await import('./start/processes.ts')
