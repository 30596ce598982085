// The page of settings: preview, save and undo without script, locked fields, and no secret.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { settingValue } from '../site/src/lib/features/admin/setting-words.ts'
import { wordOf, wordsIn } from '../site/src/lib/language/catalogue.ts'
import { liveNames, settings } from '../src/config/settings.ts'
import { about } from '../src/config/values.ts'
import { Authenticator } from './authenticator.ts'
import { submit } from './form.ts'
import { register } from './passkeys.ts'
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

it('Every choice of a setting has its words on the page', () => {
  for (const t of [wordsIn('en'), wordsIn('de')]) {
    const bare = liveNames.flatMap((name) => {
      const { input, choices = [], live } = about.get(settings.shape[name]) ?? {}
      // The levels of logs are names, and the looks have a page of their own.
      if (input !== 'choice' || name === 'LOG_LEVEL' || live === 'looks') return []
      return choices.filter((value) => settingValue(t, name, value) === value).map((value) => `${name} ${value}`)
    })
    assert.deepEqual(bare, [], 'write them into messages/admin')
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
        /What will change[\s\S]*Name[\s\S]*Guildhall[\s\S]*Acme Lab[\s\S]*Who may sign up[\s\S]*Everyone[\s\S]*Invited people/,
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

    it('says beside a change why it is not undone', async (world) => {
      const { admin } = world
      await admin.settings.change({ changes: { SITE_NAME: 'One' } })
      await admin.settings.change({ changes: { SITE_NAME: 'Two' } })
      const [, first] = (await admin.settings.listChanges()).items
      const late = await submit(admin, '/admin/settings?/undo', { id: first!.id })
      assert.equal(late.status, 409)
      const text = await late.text()
      assert.match(text, /id="changes-title"[\s\S]*role="alert"[\s\S]*?SITE_NAME was changed since/)
      assert.equal(text.split('role="alert"').length, 2)
      // Without a passkey of an admin, a setting that needs one cannot come back.
      await register(admin, new Authenticator())
      await admin.settings.change({ changes: { ROLES_NEED_PASSKEY: 'on' } })
      await admin.settings.change({ changes: { ROLES_NEED_PASSKEY: null } })
      const { items } = await admin.passkeys.list()
      for (const { id } of items) await admin.passkeys.remove({ id })
      const [off] = (await admin.settings.listChanges()).items
      const locked = await submit(admin, '/admin/settings?/undo', { id: off!.id })
      assert.equal(locked.status, 409)
      assert.match(await locked.text(), /id="changes-title"[\s\S]*role="alert"[\s\S]*?No admin has a passkey/)
    })

    it('has a box for each part, none of which is lost when nothing is checked', async ({ admin }) => {
      const { version } = await admin.settings.list()
      const marker = { version: String(version), 'box:PARTS_OFF:': '' }
      const checked = { ...marker, 'box:PARTS_OFF:roadmap': 'on', 'box:PARTS_OFF:blog': 'on' }
      const preview = await (await submit(admin, '/admin/settings?/preview', checked)).text()
      assert.match(preview, /name="PARTS_OFF" value="roadmap, blog"/)
      assert.match(preview, /name="box:PARTS_OFF:roadmap"[^>]* checked/)
      assert.doesNotMatch(preview, /name="box:PARTS_OFF:posts"[^>]* checked/)
      await submit(admin, '/admin/settings?/save', { version: String(version), PARTS_OFF: 'roadmap, blog' })
      const html = await page(admin)
      assert.match(html, /name="box:PARTS_OFF:blog"[^>]* checked/)
      assert.doesNotMatch(html, /name="PARTS_OFF"/)
      const now = { version: String((await admin.settings.list()).version) }
      const same = await (await submit(admin, '/admin/settings?/preview', { ...checked, ...now })).text()
      assert.match(same, /Nothing differs/)
      const none = await (await submit(admin, '/admin/settings?/preview', { ...marker, ...now })).text()
      assert.match(none, /name="PARTS_OFF" value=""/)
      const other = await (await submit(admin, '/admin/settings?/preview', { ...now, SITE_NAME: 'Acme' })).text()
      assert.doesNotMatch(other, /name="PARTS_OFF"/)
    })

    it('locks what the environment sets, and keeps secrets', async ({ admin }) => {
      await submit(admin, '/admin/settings?/secret', { name: 'OIDC_CLIENT_SECRET', password: 'hunter2' })
      const text = await page(admin)
      assert.ok(!text.includes('hunter2'))
      assert.match(text, /A value is set, and is never shown/)
      assert.match(text, /Set by the environment: <code>SECURITY_CONTACT<\/code>/)
      assert.doesNotMatch(text, /name="(?:SECURITY_CONTACT|ACCENT)"/)
      assert.match(text, /<a href="\/admin\/looks">/)
    })

    it('is for admins alone, and in German', async ({ alice, moderator, admin }) => {
      for (const person of [alice, moderator]) assert.equal((await person.request('/admin/settings')).status, 403)
      const headers = { 'Accept-Language': 'de' }
      assert.match(await (await admin.request('/admin/settings', { headers })).text(), /Wer sich registrieren darf/)
    })
  },
  { SECURITY_CONTACT: 'security@example.com' },
)
