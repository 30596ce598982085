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
]
