// Builds what changed of the site and of the server: `npm run build`.
import { buildSite } from '../surfaces/site/build.ts'
import { buildServer } from './build-server.ts'

await buildSite(console.log)
await buildServer(console.log)
