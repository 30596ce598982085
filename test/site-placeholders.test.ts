// Documents with texts of this server in them: every name in braces is filled, in every language, whatever parts are off.
import assert from 'node:assert/strict'
import { before } from 'node:test'
import { docs, handbook, texts } from '../site/src/lib/documents.ts'
import { LANGUAGES } from '../src/contract/languages.ts'
import { partNames } from '../src/contract/parts.ts'
import { buildSite } from '../src/surfaces/site/build.ts'
import { turnOff } from './turned-off.ts'
import { onEveryEngine, type Person } from './world.ts'

const CODE = /<(pre|code)\b[\s\S]*?<\/\1>/g

/** What a page says; code of the docs may have names in braces, but not ours. */
async function textAt(person: Person, path: string, language: string) {
  const response = await person.request(path, { headers: { 'Accept-Language': language } })
  assert.equal(response.status, 200, path)
  const text = await response.text()
  assert.match(text, new RegExp(`<html lang="${language}"`), path)
  assert.doesNotMatch(text, /\{(base_url|kept_\w*|operator_\w*)\}/, `${path} ${language}`)
  const [, main = ''] = text.match(/<main[^>]*>([\s\S]*)<\/main>/) ?? []
  return main.replace(CODE, '')
}

onEveryEngine('documents of the site', (it) => {
  before(() => buildSite(() => {}))

  for (const off of [[], partNames])
    it(`leave no name unfilled, ${off.length === 0 ? 'with all parts' : 'without parts'}`, async (world) => {
      await turnOff(world, off)
      const paths = [...texts.map((name) => `/${name}`), ...[...docs, ...handbook].map(({ href }) => href)]
      for (const path of paths)
        for (const language of LANGUAGES)
          assert.doesNotMatch(await textAt(world.anonymous, path, language), /\{\w+\}/, `${path} ${language}`)
    })

  it('say for how long is kept what clean-ups delete, as it is set', async (world) => {
    const { admin, anonymous } = world
    await admin.settings.change({ changes: { KEEP_READ_NOTIFICATIONS_DAYS: '1', KEEP_NETWORKS_DAYS: '33' } })
    await turnOff(world, [])
    const english = await textAt(anonymous, '/privacy', 'en')
    assert.match(english, /that you have read are deleted after 1 day, those that you have not read after 365 days\./)
    assert.match(english, /A network is deleted 33 days after/)
    const german = await textAt(anonymous, '/privacy', 'de')
    assert.match(german, /Gelesene Benachrichtigungen werden nach 1 Tag gelöscht, ungelesene nach 365 Tagen\./)
    assert.match(german, /Ein Netz wird nach 33 Tagen gelöscht/)
  })
})
