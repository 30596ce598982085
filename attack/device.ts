// Threat 8 again, by device (RFC 8628, 5): codes that are guessed, decided by another, used twice, or sent to a victim.
import type { Tokens } from '../client/src/main-node.ts'
import { type Attack, atOnce, hold, holdEach, holdRefused, holdStatus, shown } from './attack.ts'
import { foreign } from './csrf.ts'
import { AGENT, grant, register, works } from './oauth-client.ts'
import type { Person } from './person.ts'
import type { Reply } from './request.ts'
import type { Target } from './target.ts'

const CONSENT = '8 consent'
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'

interface Codes {
  device_code: string
  user_code: string
}

const askCodes = (person: Person): Promise<Reply> =>
  person.form('/api/auth/oauth2/device_authorization', { client_id: AGENT, scope: 'library:read offline_access' })

async function codesOf(target: Target): Promise<Codes> {
  const reply = await askCodes(target.anonymous())
  const codes = reply.json() as unknown as Codes | undefined
  hold(reply.status === 200 && codes?.user_code, `an honest request is refused: ${shown(reply)}`)
  return codes
}

const poll = (target: Target, { device_code }: Codes, clientId = AGENT): Promise<Tokens> =>
  grant(target, clientId, { grant_type: GRANT, device_code })

const submit = (person: Person, form: Record<string, string>, headers: Record<string, string> = {}): Promise<Reply> =>
  person.form('/oauth/device', form, headers)

/** The signed question of the page; '' where a code leads to none. */
async function questionOf(person: Person, code: string): Promise<string> {
  const { text } = await submit(person, { user_code: code })
  return (/name="oauth_query" value="([^"]+)"/.exec(text)?.[1] ?? '').replaceAll('&amp;', '&')
}

/** A code of the right form that is most likely nobody's. */
const guess = (n: number) =>
  Array.from({ length: 8 }, (_, at) => LETTERS[(n * (at + 3) + at) % LETTERS.length]).join('')

export const device: Attack[] = [
  {
    name: 'a device code is good once, for its client alone, and not before a decision',
    clause: CONSENT,
    needs: ['newcomers'],
    async run(target) {
      const person = await target.newcomer()
      const codes = await codesOf(target)
      await holdRefused(poll(target, codes), [400], 'before a decision')
      await submit(person, { accept: 'true', oauth_query: await questionOf(person, codes.user_code) })
      const other = await register(target, { grant_types: ['authorization_code', GRANT] })
      await holdRefused(poll(target, codes, other), [400], 'by another client')
      const { answers } = await atOnce(8, () => poll(target, codes))
      hold(answers.length === 1, `${answers.length} of 8 polls at once got tokens`)
      for (const { accessToken } of answers) hold(await works(target, accessToken), 'the tokens are not good')
      await holdRefused(poll(target, codes), [400], 'once more')
      return 'one of 8'
    },
  },
  {
    name: 'a device is allowed by no other account, no other site and no code in an address',
    clause: CONSENT,
    needs: ['newcomers'],
    async run(target) {
      const [alice, bob] = [await target.newcomer(), await target.newcomer()]
      const codes = await codesOf(target)
      const filledIn = await alice.get(`/oauth/device?user_code=${codes.user_code}&accept=true`)
      hold(!filledIn.text.includes('oauth_query'), 'a link asks the question by itself')
      const question = await questionOf(alice, codes.user_code)
      holdStatus(await submit(bob, { accept: 'true', oauth_query: question }), [400, 403], 'by another account')
      const changed = new URLSearchParams(question)
      changed.set('exp', '9999999999')
      holdStatus(await submit(alice, { accept: 'true', oauth_query: changed.toString() }), [400], 'changed')
      await holdEach(
        foreign,
        ([name]) => name,
        async ([, headers]) => {
          holdStatus(
            await submit(alice, { accept: 'true', oauth_query: question }, headers),
            [403],
            'from another site',
          )
        },
      )
      await holdRefused(poll(target, codes), [400], 'tokens without a decision')
      return 'nobody decided'
    },
  },
  {
    name: 'user codes of devices cannot be guessed',
    clause: '11 lockout',
    limited: true,
    needs: ['newcomers'],
    async run(target) {
      const person = await target.newcomer()
      const codes = await codesOf(target)
      const statuses: number[] = []
      for (let n = 0; n < 12; n++) statuses.push((await submit(person, { user_code: guess(n) })).status)
      hold(
        statuses.slice(5).every((status) => status === 429),
        `after five wrong codes: ${statuses}`,
      )
      holdStatus(await submit(person, { user_code: codes.user_code }), [429], 'the right one then')
      return 'five tries in ten minutes, of 25,600,000,000 codes'
    },
  },
  {
    name: 'a network of many addresses asks for a tenth of the device codes that may be open, and others go on',
    clause: '4 budgets',
    limited: true,
    needs: ['networks', 'load'],
    async run(target) {
      const ask = async (network: string) => (await askCodes(target.anonymous(network))).status
      const statuses: number[] = []
      for (let round = 0; round < 11; round++) {
        const near = Array.from({ length: 20 }, (_, n) => `2001:db8:77:${round * 20 + n + 1}::1`)
        statuses.push(...(await Promise.all(near.map(ask))))
      }
      const given = statuses.filter((status) => status === 200).length
      hold(given === 200 && statuses.at(-1) === 429, `${given} of ${statuses.length} were given`)
      hold((await ask('2001:db8:78::1')) === 200, 'another network gets none')
      return `${given} of ${statuses.length}`
    },
  },
]
