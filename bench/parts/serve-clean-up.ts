// The server without its timer: a clean-up begins at SIGUSR2, so that it can be begun when it is to be measured.
import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/config/config.ts'
import { openDependencies } from '../../src/start/open-dependencies.ts'
import { createNodeServer } from '../../src/surfaces/http/listen.ts'

const config = readConfig(process.env)
const dependencies = await openDependencies(config)
const app = createApp(dependencies)
await app.open()
await dependencies.join?.()
dependencies.outbox.onMail(() => void dependencies.outbox.flush())
process.on('SIGUSR2', () => app.cleanUp().catch(console.error))
createNodeServer({
  app: app.fetch,
  observe: app.observe,
  config,
  changes: dependencies.changes,
}).listen(config.port, config.host)
