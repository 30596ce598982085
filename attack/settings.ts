// Settings that admins change: others neither read nor change them, and a secret is in no answer and not in the database.
import { type Attack, hold, holdRefused } from './attack.ts'

const SECRET = 'attacked-hunter2'

export const settings: Attack[] = [
  {
    name: 'a moderator and a member read and change no settings',
    clause: 'access',
    needs: ['newcomers', 'roles'],
    async run(target) {
      for (const person of [await target.withRole('moderator'), await target.newcomer()]) {
        const { list, listChanges, change } = person.api.settings
        await holdRefused(list(), [403], 'the settings')
        await holdRefused(listChanges(), [403], 'the changes of settings')
        await holdRefused(change({ changes: { SIGN_UP: 'closed' } }), [403], 'a change of a setting')
      }
      return 'admins alone do'
    },
  },
  {
    name: 'a secret among the settings is never shown again',
    clause: 'access',
    needs: ['newcomers', 'roles', 'files'],
    async run(target) {
      const { api } = await target.withRole('admin')
      const answers: unknown[] = [await api.settings.change({ changes: { OIDC_CLIENT_SECRET: SECRET } })]
      answers.push(await api.settings.list(), await api.settings.listChanges(), await api.admin.listAudit({}))
      answers.push(await target.own.query('select value from setting'))
      answers.push(await target.own.query('select "valueBefore", "valueAfter" from "settingChange"'))
      answers.push(await target.own.query('select detail from audit'))
      for (const answer of answers) hold(!JSON.stringify(answer).includes(SECRET), 'the secret is shown')
      await api.settings.change({ changes: { OIDC_CLIENT_SECRET: null } })
      return 'no answer and no row has it'
    },
  },
  {
    name: 'no secret is sent to a server that an admin names after it was given',
    clause: 'access',
    needs: ['newcomers', 'roles', 'files'],
    async run(target) {
      const { change } = (await target.withRole('admin')).api.settings
      const places: Record<string, Record<string, string>> = {
        OIDC_CLIENT_SECRET: { OIDC_ISSUER: 'https://login.example', OIDC_CLIENT_ID: 'attacked' },
        SIGNAL_TOKEN: { SIGNAL_URL: 'https://signals.example/in' },
      }
      for (const [secret, place] of Object.entries(places)) {
        const [address = ''] = Object.keys(place)
        const elsewhere = { ...place, [address]: 'https://attacker.example' }
        const none = Object.fromEntries(Object.keys(place).map((name) => [name, null]))
        await change({ changes: { ...place, [secret]: SECRET } })
        await holdRefused(change({ changes: elsewhere }), [400], `${address} at once`)
        await change({ changes: none })
        await holdRefused(change({ changes: elsewhere }), [400], `${address} after none`)
        await change({ changes: { ...none, [secret]: null } })
      }
      return `${Object.keys(places).length} secrets, at once and by way of none`
    },
  },
]
