// The page of settings: preview, save and undo without script, locked fields, and no secret.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { wordOf, wordsIn } from '../site/src/lib/language/catalogue.ts'
import { liveNames } from '../src/config/settings.ts'
import { submit } from './form.ts'
import { onEveryEngine, type Person } from './world.ts'

const page = async (person: Person) => (await person.request('/admin/settings')).text()

it('Every setting that may change while the server runs has its words on the page', () => {
  for (const t of [wordsIn('en'), wordsIn('de')]) {
    const missing = liveNames.filter(
      (name) => !wordOf(t, `admin.settings.label.${name}`) || !wordOf(t, `admin.settings.help.${name}`),
    )
    assert.deepEqual(missing, [], 'write them into messages/admin')
  }
})

onEveryEngine(
  'the page of settings',
  (it) => {
    it('shows a preview, saves it, and has a way back', async ({ admin }) => {
      const { version } = await admin.settings.list()
      const form = { version: String(version), SITE_NAME: 'Acme <Lab', SIGN_UP: 'invited', HOLD_LINKS_HOURS: '0' }
      const wrong = await (await submit(admin, '/admin/settings?/preview', form)).text()
      assert.match(wrong, /aria-invalid="true"/)
      const preview = await (await submit(admin, '/admin/settings?/preview', { ...form, SITE_NAME: 'Acme Lab' })).text()
      assert.match(
        preview,
        /What will change[\s\S]*Name[\s\S]*Guildhall[\s\S]*Acme Lab[\s\S]*Who may sign up[\s\S]*open[\s\S]*invited/,
      )
      assert.equal((await admin.settings.list()).version, version)
      const save = { version: String(version), SITE_NAME: 'Acme Lab', SIGN_UP: 'invited' }
      assert.match(await (await submit(admin, '/admin/settings?/save', save)).text(), /Saved\. It holds now/)
      assert.match(await page(admin), /value="Acme Lab"/)
      assert.match(
        await (await submit(admin, '/admin/settings?/save', { ...save, SITE_NAME: 'Other' })).text(),
        /were changed since/,
      )
      const { id } = (await admin.settings.listChanges()).items[0]!
      assert.match(await (await submit(admin, '/admin/settings?/undo', { id })).text(), /The change is undone/)
    })

    it('locks what the environment sets, and keeps secrets', async ({ admin }) => {
      await submit(admin, '/admin/settings?/secret', { name: 'OIDC_CLIENT_SECRET', password: 'hunter2' })
      const text = await page(admin)
      assert.ok(!text.includes('hunter2'))
      assert.match(text, /A value is set, and is never shown/)
      assert.match(text, /Set by the environment: <code>ACCENT<\/code>/)
      assert.doesNotMatch(text, /name="ACCENT"/)
    })

    it('is for admins alone, and in German', async ({ alice, moderator, admin }) => {
      for (const person of [alice, moderator]) assert.equal((await person.request('/admin/settings')).status, 403)
      const headers = { 'Accept-Language': 'de' }
      assert.match(await (await admin.request('/admin/settings', { headers })).text(), /Wer sich registrieren darf/)
    })
  },
  { ACCENT: '#2b6cb0' },
)
