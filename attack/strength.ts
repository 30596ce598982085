// How strong a sign-in was, who signed a request, whose work runs in the background, and who hears of revocations: none of them is had by saying so.
import { decodeJwt } from 'jose'
import { type Attack, hold, holdEach, holdRefused, holdStatus } from './attack.ts'
import { allowed, ask, bearer, exchangeForm, follow, signIn, TOKEN } from './oauth-client.ts'
import type { Person } from './person.ts'
import type { Target } from './target.ts'

const CLAUSE = 'tokens'
const scope = 'openid community:read community:write library:write offline_access'

const AS_TASKS = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'thief', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
}

/** A message of a client that takes tasks. */
async function message(agent: Person, method: string, params: { taskId: string }): Promise<string> {
  const headers = {
    ...{ Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2026-07-28' },
    ...{ 'Mcp-Method': method, 'Mcp-Name': params.taskId },
  }
  const body = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: AS_TASKS } }
  const { status, text } = await agent.post('/api/mcp', body, headers)
  hold(status < 500, `${method} of ${params.taskId}: ${status}`)
  return text
}

const saysNothing = (token: unknown, what: string) => {
  const { acr, amr } = decodeJwt(String(token))
  hold(acr === undefined && amr === undefined, `${what}: acr ${acr}, amr ${amr}`)
}

/** A page of consent is not reached without a passkey, however it is asked for one. */
const holdSignIn = (target: Target, person: Person) =>
  holdEach(['phr', 'urn:x phr', 'phr '.repeat(200)], String, async (acr_values) => {
    const { path } = ask(target, { scope, more: { acr_values } })
    const page = await follow(person, path)
    hold(page?.pathname === '/oauth/sign-in', `acr_values ${acr_values.slice(0, 20)} leads to ${page}`)
  })

export const strength: Attack[] = [
  {
    name: 'a client gets no strength of sign-in that its person did not show, and nothing that asks for one',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const person = await target.newcomer()
      const forged = [
        { acr: 'phr', amr: 'pop user' },
        { acr_values: 'phrh' },
        { acr_values: '\u0000phr'.slice(1).toUpperCase() },
        { claims: '{"id_token":{"acr":{"essential":true,"value":"phr"}}}' },
        { by_passkey: '1', byPasskey: 'true', acr_asked: 'phrh' },
      ] as Record<string, string>[]
      await holdEach(forged, JSON.stringify, async (more) => {
        const form = { ...exchangeForm(await allowed(target, person, { scope, more })), acr: 'phr', acr_values: 'phr' }
        const tokens = (await target.anonymous().form(TOKEN, form)).json() ?? {}
        saysNothing(tokens['id_token'], JSON.stringify(more))
      })
      await holdSignIn(target, person)
      return `${forged.length + 3} requests`
    },
  },
  {
    name: 'what a program writes names no site whose keys did not sign it',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const person = await target.newcomer()
      const { accessToken } = await signIn(target, person, { scope })
      const agent = bearer(target, accessToken)
      const now = Math.floor(Date.now() / 1000)
      const parameters = `("@authority" "signature-agent");created=${now};expires=${now + 60};keyid="k";tag="web-bot-auth"`
      const tries: Record<string, string>[] = [
        { 'Signature-Agent': '"https://bank.example"' },
        {
          ...{ 'Signature-Agent': '"https://bank.example"', 'Signature-Input': `sig1=${parameters}` },
          Signature: `sig1=:${Buffer.alloc(64).toString('base64')}:`,
        },
        { 'Signature-Agent': `"${target.origin}"`, 'Signature-Input': `sig1=${parameters}`, Signature: 'sig1=::' },
      ]
      await holdEach(tries, JSON.stringify, async (headers) => {
        const body = { title: 'Signed by no one', description: 'It is not', severity: 'low' }
        const reply = await agent.post('/api/community/bugs', body, headers)
        holdStatus(reply, [201], 'a bug')
        hold(!reply.text.includes('signedBy') && !reply.text.includes('bank.example'), `it says ${reply.text}`)
      })
      return `${tries.length} requests`
    },
  },
  {
    name: 'a task of another account, or of no one, is neither read nor ended, and an export gives an agent no file',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const [owner, thief] = [await target.newcomer(), await target.newcomer()]
      const agent = bearer(target, (await signIn(target, thief, { scope })).accessToken)
      const { id } = await owner.api.dataExports.request()
      const names = [
        `dataExports.request/${id}`,
        `dataExports.get/${id}`,
        `imports.start/${id}`,
        `../${id}`,
        `/${id}/`,
        id,
      ]
      await holdEach(names, String, async (taskId) => {
        for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
          const text = await message(agent, method, { taskId })
          hold(
            text.includes('"error"') && !text.includes('requestedAt'),
            `${method} of ${taskId}: ${text.slice(0, 200)}`,
          )
        }
      })
      await holdRefused(agent.api.dataExports.get({ id }), [404], 'it reads the export')
      await holdRefused(agent.api.dataExports.cancel({ id }), [404], 'it ends the export')
      hold((await owner.api.dataExports.list()).items.length === 1, 'the export is gone')
      const own = bearer(target, (await signIn(target, owner, { scope })).accessToken)
      holdStatus(await own.get(`/api/account/exports/${id}/file`), [401, 403], 'the file')
      return `${names.length * 3 + 3} tries`
    },
  },
  {
    name: 'no one but a receiver that the operator declared manages a stream of signals',
    clause: 'access',
    needs: ['newcomers'],
    async run(target) {
      const person = await target.newcomer()
      const { accessToken } = await signIn(target, person, { scope })
      const basic = (text: string) => ({ Authorization: `Basic ${btoa(text)}` })
      const headers = [
        {},
        basic('mail:'),
        basic(':'),
        basic(`receiver:${'x'.repeat(32)}`),
        { Authorization: `Bearer ${accessToken}` },
      ]
      const stream = { delivery: { method: 'urn:ietf:rfc:8935', endpoint_url: 'https://169.254.169.254/' } }
      await holdEach(headers as Record<string, string>[], JSON.stringify, async (more) => {
        for (const caller of [target.anonymous(), person]) {
          for (const path of ['stream', 'status', 'verify', 'poll'])
            holdStatus(await caller.post(`/api/auth/ssf/${path}`, stream, more), [401, 403, 404, 405, 429], path)
          holdStatus(await caller.get('/api/auth/ssf/stream', more), [401, 404, 429], 'a look')
        }
      })
      return `${headers.length * 10} requests`
    },
  },
]
