// Starts the server: `npm start`. What is loaded from here on is compiled once and kept, so that the next start is fast.
import { enableCompileCache } from 'node:module'

enableCompileCache()
await import('./start/serve.ts')
