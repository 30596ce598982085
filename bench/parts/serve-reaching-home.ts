// The server, whose webhooks may reach this machine.
import { readConfig } from '../../src/config/config.ts'
import { serve } from '../../src/start/serve.ts'
import { home } from '../../test/webhook-receiver.ts'

await serve(readConfig(process.env), { reach: home })
