import { writeFileSync } from 'node:fs'
import { fill } from '../src/demo/demo.ts'
import { engines } from './databases.ts'
import { forAdmins, forAnybody, furnish } from './browser/instance.ts'
import { newBrowser } from './visitors.ts'
import { makeWorld } from './world.ts'
const database = await engines['SQLite']!()
const world = await makeWorld(database, {})
const password = 'correct horse battery'
const { addresses } = await fill(world.dependencies, { now: Date.now(), password })
await furnish({ world } as never, addresses.admin!)
const admin = newBrowser(world)
await admin.accounts.signIn({ email: addresses.admin!, password })
for (const [pages, who] of [[forAnybody, newBrowser(world)], [forAdmins, admin]] as const)
  for (const [name, path] of Object.entries(pages)) {
    const r = await who.request(path, { headers: { accept: 'text/html' } })
    const t = await r.text()
    if ((r.headers.get('content-type') ?? '').includes('html')) writeFileSync(`/tmp/looks-html/${name}.html`, t)
    else console.log(name, path, r.status, r.headers.get('content-type'))
  }
await database.remove()
process.exit()
