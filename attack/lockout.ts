// Threat 11: lockout by others, and guessing.
import { type Attack, atOnce, hold, holdEach, holdRefused, refusalOf, shown } from './attack.ts'
import { AGENT } from './oauth-client.ts'
import { freshEmail, freshPassword, type Person } from './person.ts'

const LOCKOUT = '11 lockout'

/** The statuses that so many wrong passwords get, one after the other. */
async function wrongPasswords(browser: Person, count: number): Promise<(number | undefined)[]> {
  const statuses: (number | undefined)[] = []
  for (let n = 0; n < count; n++) statuses.push((await refusalOf(browser.signIn('not the password')))?.status)
  return statuses
}

/** So many wrong codes beside this one. */
const wrongCodes = (code: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => String((Number(code) + 1 + n) % 1_000_000).padStart(6, '0'))

export const lockout: Attack[] = [
  {
    name: 'wrong passwords of an attacker lock the attacker out, not the owner',
    clause: LOCKOUT,
    limited: true,
    needs: ['networks', 'newcomers'],
    async run(target) {
      const owner = await target.newcomer()
      const attacker = owner.elsewhere(target.network())
      const statuses = await wrongPasswords(attacker, 12)
      hold(
        statuses.slice(0, 10).every((status) => status === 401),
        `the first ten: ${statuses}`,
      )
      hold(statuses.at(-1) === 429, `the twelfth wrong password: ${statuses.at(-1)}`)
      await holdRefused(attacker.signIn(), [429], 'the right one from there')
      await owner.elsewhere(target.network()).signIn()
      return 'ten tries, then 429 for that network alone'
    },
  },
  {
    name: 'a browser that signed in before is counted apart from others of its network',
    clause: LOCKOUT,
    limited: true,
    needs: ['networks', 'newcomers'],
    async run(target) {
      const owner = await target.newcomer()
      const attacker = owner.elsewhere(owner.network)
      await wrongPasswords(attacker, 12)
      await owner.api.accounts.signOut()
      hold(owner.cookies.size > 0, 'nothing of the browser is left after sign-out that could tell it apart')
      await owner.signIn()
      return 'the owner signs in while the neighbour is out'
    },
  },
  {
    name: 'a port behind a forwarded address, or another spelling, is not another network',
    clause: '14 text',
    limited: true,
    needs: ['networks', 'newcomers'],
    async run(target) {
      const owner = await target.newcomer()
      const network = target.network()!
      const spellings = (n: number) =>
        [`${network}:${1_000 + n}`, `${network}`, `::ffff:${network}`, `9.9.9.${n}, ${network}:${n + 1}`][n % 4]!
      let last: number | undefined
      for (let n = 0; n < 14; n++) [last] = await wrongPasswords(owner.elsewhere(spellings(n)), 1)
      hold(last === 429, `the 14th wrong password: ${last}`)
      return 'counted as one network'
    },
  },
  {
    name: 'one address cannot try one password at accounts without end',
    clause: LOCKOUT,
    limited: true,
    needs: ['networks', 'load'],
    async run(target) {
      const network = target.network()!
      const attempt = () => {
        const guess = { email: freshEmail('spray'), password: 'Summer2026!' }
        return target.anonymous(network).api.accounts.signIn(guess)
      }
      const statuses: number[] = []
      for (let round = 0; round < 5; round++)
        statuses.push(...(await atOnce(15, attempt)).refusals.map(({ status }) => status))
      const tried = statuses.filter((status) => status === 401).length
      hold(tried <= 60, `${tried} of ${statuses.length} were tried`)
      return `${tried} of ${statuses.length} were tried`
    },
  },
  {
    name: 'X-Forwarded-For of a caller counts for nothing without a proxy',
    clause: LOCKOUT,
    needs: ['files'],
    async run(target) {
      const reply = await target.send({
        path: '/metrics',
        headers: { 'X-Forwarded-For': '127.0.0.1', 'X-Real-IP': '127.0.0.1', Forwarded: 'for=127.0.0.1' },
      })
      hold(reply.status !== 200, 'metrics for a forged address')
      return `${reply.status}`
    },
  },
  {
    name: 'requests for codes by an attacker do not keep the owner from theirs',
    clause: LOCKOUT,
    limited: true,
    needs: ['networks', 'newcomers', 'mail'],
    async run(target) {
      const owner = await target.verified()
      const { email } = owner
      const attacker = target.anonymous(target.network())
      for (let n = 0; n < 8; n++) await refusalOf(attacker.api.accounts.signInWithCode({ email, code: '000000' }))
      const { accounts } = owner.elsewhere(target.network()).api
      await accounts.signInWithCode({
        email,
        code: await target.codeMailedBy(email, () => accounts.sendCode({ email })),
      })
      return 'the owner signs in'
    },
  },
  {
    name: 'wrong tries and requests of strangers end no code of the browser that asked for it',
    clause: LOCKOUT,
    limited: true,
    needs: ['networks', 'newcomers', 'mail'],
    async run(target) {
      const owner = await target.verified()
      const { email } = owner
      const { accounts } = owner.api
      const code = await target.codeMailedBy(email, () => accounts.forgotPassword({ email }))
      const [wrong = ''] = wrongCodes(code, 1)
      const password = freshPassword()
      for (let n = 0; n < 12; n++) {
        const stranger = target.anonymous().api.accounts
        await refusalOf(stranger.resetPassword({ email, code: wrong, password }))
        await refusalOf(stranger.sendCode({ email }))
      }
      await accounts.resetPassword({ email, code, password })
      return 'the owner gets in'
    },
  },
  {
    name: 'the answer to a wrong code tells nothing of the name of an account',
    clause: LOCKOUT,
    needs: ['newcomers'],
    async run(target) {
      const owner = await target.newcomer()
      const name = (await owner.api.accounts.getSession())?.user.name
      hold(name, 'the newcomer has no name')
      const given = { code: '000000', password: name.padEnd(8, '!') }
      const [known, other] = [
        await target.anonymous().post('/api/auth/reset-password', { email: owner.email, ...given }),
        await target.anonymous().post('/api/auth/reset-password', { email: freshEmail('unknown'), ...given }),
      ]
      hold(known.status === other.status && known.text === other.text, `${shown(known)} and ${shown(other)}`)
      return `${known.status} for both`
    },
  },
  {
    name: 'a code takes five tries, also when they come at once',
    clause: LOCKOUT,
    needs: ['newcomers', 'mail'],
    async run(target) {
      const owner = await target.newcomer()
      const { email } = owner
      const { claims } = target.anonymous().api
      const ask = () => claims.claim({ email, client_id: AGENT, scope: 'community:read' })
      const code = await target.codeMailedBy(email, ask)
      const verify = (tried: string) => target.anonymous().api.claims.verify({ email, code: tried, client_id: AGENT })
      const wrong = wrongCodes(code, 30)
      await atOnce(wrong.length, (n) => verify(wrong[n] ?? ''))
      await holdRefused(verify(code), [400, 429], 'the right code after 30 wrong ones')
      return 'the code is dead'
    },
  },
  {
    name: 'one code signs in once, also when it comes twenty times at once',
    clause: LOCKOUT,
    needs: ['newcomers', 'mail'],
    async run(target) {
      const owner = await target.verified()
      const { email } = owner
      const code = await target.codeMailedBy(email, () => target.anonymous().api.accounts.sendCode({ email }))
      const { answers } = await atOnce(20, () => target.anonymous().api.accounts.signInWithCode({ email, code }))
      hold(answers.length === 1, `${answers.length} sessions for one code`)
      return 'one session'
    },
  },
  {
    name: 'an unknown address and a wrong password look the same',
    clause: LOCKOUT,
    needs: ['accounts'],
    async run(target) {
      const { email } = await target.member('alice')
      const unknown = freshEmail('unknown')
      const paths: [string, object][] = [
        ['/api/auth/sign-in/email', { password: 'not the password' }],
        ['/api/auth/sign-in/code', {}],
        ['/api/auth/forgot-password', {}],
        ['/api/auth/sign-in/code/verify', { code: '000000' }],
        ['/api/auth/agent/claim/verify', { code: '000000', client_id: AGENT }],
        ['/api/auth/reset-password', { code: '000000', password: freshPassword() }],
      ]
      return holdEach(
        paths,
        ([path]) => path,
        async ([path, body]) => {
          const [known, other] = [
            await target.anonymous().post(path, { email, ...body }),
            await target.anonymous().post(path, { email: unknown, ...body }),
          ]
          // Each request for a code has an id of its own.
          const [one, two] = [known, other].map(({ text }) => text.replace(/"requestId":"[\w-]{43}"/, ''))
          hold(known.status === other.status && one === two, `${shown(known)} and ${shown(other)}`)
        },
      )
    },
  },
]
