// A server of its own whose agent is subscribed to bugs, for tests that kill it: it serves by HTTP and does all work besides. Arguments: the database, the
// folder of the files, the signing key, and the port.
import { createApp } from '../../src/app.ts'
import { openDatabase } from '../../src/database/open.ts'
import { home } from '../webhook-receiver.ts'
import { makeWorld } from '../world.ts'
import { serve } from './serve.ts'

const [url = '', folder = '', key = '', port = ''] = process.argv.slice(2)
const store = await openDatabase(url)
const settings = { BLOB_URL: `file:${folder}`, SIGNING_KEY: key, RATE_LIMITS: 'off' }
const { dependencies } = await makeWorld({ ...store, url }, settings)
const app = createApp({ ...dependencies, reach: home })
await serve(app, Number(port))
app.jobs.start()
process.stdout.write('ready\n')
