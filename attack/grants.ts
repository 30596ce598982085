// The flows of the authorization server: codes, refresh tokens and requests that are replayed, changed or made for others.
import { type Attack, atOnce, hold, holdEach, holdRefused, holdStatus, refusalOf } from './attack.ts'
import {
  AGENT,
  AGENT_REDIRECT,
  allowed,
  ask,
  consentPage,
  exchangeForm,
  follow,
  grant,
  refresh,
  register,
  revoke,
  signIn,
  TOKEN,
  works,
} from './oauth-client.ts'

const OAUTH = 'oauth'

export const grants: Attack[] = [
  {
    name: 'an old refresh token ends its sign-in after the retry window, and the same request gets the same answer within it',
    clause: OAUTH,
    needs: ['newcomers', 'process'],
    async run(target) {
      const person = await target.newcomer()
      const first = await signIn(target, person)
      const { answers } = await atOnce(12, () => refresh(target, first))
      hold(answers.length === 12, `${answers.length} of twelve at once were answered`)
      hold(new Set(answers.map(({ accessToken }) => accessToken)).size === 1, 'twelve at once got different answers')
      return target.ahead(301, async () => {
        await holdRefused(refresh(target, first), [400], 'the old one after five minutes')
        for (const second of answers.slice(0, 1))
          await holdRefused(refresh(target, second), [400], 'the new one after that')
        return 'the sign-in is over'
      })
    },
  },
  {
    name: 'the retry window answers only to the same client, scope and resource',
    clause: OAUTH,
    needs: ['accounts'],
    async run(target) {
      const first = await signIn(target, await target.member('alice'))
      await refresh(target, first)
      const other = { ...first, clientId: await register(target) }
      const resource = `${target.origin}/api/${AGENT}`
      await holdRefused(refresh(target, other), [400], 'another client')
      await holdRefused(refresh(target, first, { scope: 'community:read' }), [400], 'another scope')
      await holdRefused(refresh(target, first, { resource }), [400], 'another resource')
      return 'three others are refused'
    },
  },
  {
    name: 'a refresh cannot ask for more than was granted, nor another client for anything',
    clause: OAUTH,
    needs: ['accounts'],
    async run(target) {
      const clientId = await register(target)
      const alice = await target.member('alice')
      const mine = await signIn(target, alice, { clientId, scope: 'community:read offline_access' })
      const stolen = { ...mine, clientId: AGENT }
      await holdRefused(refresh(target, stolen), [400, 401], 'another client')
      const wide = await atOnce(1, () => refresh(target, mine, { scope: 'community:read community:write' }))
      for (const { scope } of wide.answers) hold(!scope?.includes('write'), 'more scope was given')
      const resource = `${target.origin}/api/${AGENT}`
      await holdRefused(refresh(target, mine, { resource }), [400], 'the agent audience for another client')
      await refusalOf(revoke(target, { ...stolen, refreshToken: undefined }))
      hold(await works(target, mine.accessToken), 'another client revoked it')
      return 'refused each'
    },
  },
  {
    name: 'a code is good once; used twice it ends what it began, also when both come at once',
    clause: OAUTH,
    needs: ['accounts'],
    async run(target) {
      const alice = await target.member('alice')
      const code = exchangeForm(await allowed(target, alice))
      const { answers } = await atOnce(8, () => grant(target, AGENT, code))
      hold(answers.length <= 1, `${answers.length} sign-ins for one code`)
      await holdRefused(grant(target, AGENT, code), [400], 'the code again')
      for (const { accessToken } of answers) hold(!(await works(target, accessToken)), 'its token lives on')
      return `${answers.length} of 8, and that one ended`
    },
  },
  {
    name: 'a code is bound to client, redirect address and verifier',
    clause: OAUTH,
    needs: ['accounts'],
    async run(target) {
      const alice = await target.member('alice')
      const other = await register(target)
      const changes: Record<string, string | undefined>[] = [
        { client_id: other },
        { redirect_uri: 'http://127.0.0.1:5124/callback' },
        { redirect_uri: undefined },
        { code_verifier: ask(target).pending.verifier },
        { code_verifier: undefined },
        { code_verifier: '' },
        { redirect_uri: `${AGENT_REDIRECT}/` },
      ]
      return holdEach(changes, JSON.stringify, async (change) => {
        const form = { ...exchangeForm(await allowed(target, alice)), ...change }
        const sent = Object.entries(form).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
        holdStatus(await target.anonymous().form(TOKEN, Object.fromEntries(sent)), [400, 401], 'the exchange')
      })
    },
  },
  {
    name: 'requests without PKCE, with plain PKCE, or for tokens in the front channel get no code',
    clause: OAUTH,
    needs: ['accounts'],
    async run(target) {
      const alice = await target.member('alice')
      const changes: Record<string, string>[] = [
        { code_challenge: '' },
        { code_challenge_method: 'plain' },
        { response_type: 'token' },
        { response_type: 'id_token' },
        { response_type: 'code token' },
        { response_mode: 'form_post' },
        { resource: 'https://evil.example/' },
        { request: 'eyJhbGciOiJub25lIn0.e30.' },
        { request_uri: 'https://evil.example/request' },
      ]
      return holdEach(changes, JSON.stringify, async (change) => {
        const page = await consentPage(alice, ask(target, { more: change }).path).catch(() => undefined)
        if (change['request_uri'] && page) return
        hold(page === undefined, 'it came to a consent page')
      })
    },
  },
  {
    name: 'an unknown client or redirect address is never redirected to',
    clause: OAUTH,
    needs: ['accounts'],
    async run(target) {
      const alice = await target.member('alice')
      const clientId = await register(target)
      const wrong = [
        'https://evil.example/',
        'https://client.example/callback/..',
        'https://client.example/callback?x=1',
        'https://client.example/callback/',
        'https://client.example.evil.example/callback',
        'http://client.example/callback',
        'https://client.example:444/callback',
        'https://CLIENT.example/callback%2f',
        'javascript:alert(1)',
      ]
      const agent = [
        'http://localhost:5123/callback',
        'http://127.0.0.1:5123/other',
        'https://127.0.0.1/callback',
        'http://127.0.0.1:5123/callback/../x',
        'http://127.0.0.2:5/callback',
        'http://127.0.0.1:5123/callback?x=1',
        'http://127.0.0.1@evil.example/callback',
      ]
      const all = [
        ...wrong.map((redirectUri) => ({ clientId, redirectUri })),
        ...agent.map((redirectUri) => ({ clientId: AGENT, redirectUri })),
        { clientId: 'unknown', redirectUri: 'https://client.example/callback' },
      ]
      return holdEach(
        all,
        ({ redirectUri }) => redirectUri,
        async (request) => {
          const reply = await alice.get(ask(target, request).path)
          holdStatus(reply, [400], 'the authorization endpoint')
          hold(!reply.headers.location, `sent to ${reply.headers.location}`)
        },
      )
    },
  },
  {
    name: 'prompt=none redirects no anonymous user without a click',
    clause: '14 text',
    async run(target) {
      const clientId = await register(target)
      const to = await follow(target.anonymous(), ask(target, { clientId, more: { prompt: 'none' } }).path)
      hold(to?.host !== 'client.example', `sent to ${to} without a click`)
      return `${to?.pathname}`
    },
  },
]
