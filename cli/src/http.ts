// HTTP and TLS of Node, loaded when they are used. By `import`, node:http would load the `fetch` of Node as well (to name its WebSocket),
// and that takes longer than all else that a command loads.

import type * as Http from 'node:http'
import type * as Https from 'node:https'
import { createRequire } from 'node:module'
import type * as Tls from 'node:tls'

const load = createRequire(import.meta.url)

export const http = (): typeof Http => load('node:http')
export const https = (): typeof Https => load('node:https')
export const tls = (): typeof Tls => load('node:tls')
