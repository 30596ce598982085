// Many items at once on the site, as browsers without script use it.
import assert from 'node:assert/strict'
import { skillFile } from './skills.ts'
import { BASE_URL, onEveryEngine, type Person } from './world.ts'

async function send(person: Person, fields: Record<string, string>, file: File) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', file)
  const packed = new Response(form)
  const body = await packed.arrayBuffer()
  const headers = {
    ...{ Origin: BASE_URL, Accept: 'text/html' },
    'Content-Type': packed.headers.get('content-type')!,
    'Content-Length': `${body.byteLength}`,
  }
  return person.request('/admin/imports?/bring', { method: 'POST', headers, body, redirect: 'manual' })
}

onEveryEngine('the archive of many items on the site', (it) => {
  it('says what would come, publishes it, and what is wrong with it', async ({ admin }) => {
    const fields = { from: 'skills', visibility: 'private', tried: 'on' }
    assert.match(await (await send(admin, fields, skillFile())).text(), /\.: new item pdf-tools/)
    assert.equal((await admin.library.list({ kind: 'skill' })).items.length, 0)
    assert.match(await (await send(admin, { ...fields, tried: 'off' }, skillFile())).text(), /new item pdf-tools/)
    assert.match(await (await send(admin, fields, skillFile())).text(), /pdf-tools is here as it is/)
    const wrong = await send(admin, fields, new File(['none'], 'a.zip'))
    assert.equal(wrong.status, 400)
    assert.match(await wrong.text(), /readable zip archive|expected/i)
  })
})
