// Threat 14: text that a database or a reader trips over.
import { type Attack, holdEach, holdRefused, holdStatus } from './attack.ts'
import { AGENT } from './oauth-client.ts'
import { freshEmail, freshPassword } from './person.ts'
import { BUG } from './things.ts'

const TEXT = '14 text'

const hostile = ['a\u0000b', 'a\ud800b', '\udc00', '\u0000']

export const texts: Attack[] = [
  {
    name: 'NUL and lone surrogates are refused wherever text is taken',
    clause: TEXT,
    needs: ['accounts'],
    async run(target) {
      const alice = await target.member('alice')
      const { api } = alice
      const { id } = await api.bugs.create(BUG)
      const claim = { email: 'a@example.com', client_id: AGENT, scope: 'community:read' }
      const account = { name: 'x', email: freshEmail(), password: freshPassword() }
      const calls: ((text: string) => Promise<unknown>)[] = [
        (title) => api.bugs.create({ ...BUG, title }),
        (body) => api.posts.create({ title: 't', body }),
        (body) => api.bugs.comment({ id, body }),
        (name) => api.profile.update({ name }),
        (tag) => api.profile.update({ name: 'x', tags: [tag] }),
        (username) => api.profile.setUsername({ username }),
        (text) => api.accounts.signIn({ email: `${text}@example.com`, password: 'x' }),
        (text) => api.accounts.signIn({ email: 'a@example.com', password: `long enough ${text}` }),
        (name) => api.accounts.signUp({ ...account, name }),
        (client_id) => api.claims.claim({ ...claim, client_id }),
        (scope) => api.claims.claim({ ...claim, scope }),
      ]
      return holdEach(hostile, JSON.stringify, async (text) => {
        for (const call of calls) await holdRefused(call(text), [400, 401], String(call))
        const consent = { accept: true, oauth_query: text }
        holdStatus(await alice.post('/api/auth/oauth2/consent', consent), [400, 401], 'a consent')
      })
    },
  },
  {
    name: 'NUL in a path or a query is refused, not a fault',
    clause: TEXT,
    run: (target) =>
      holdEach(
        [
          '/api/community/bugs/%00',
          '/api/community/users/a%00b',
          '/api/library/items/%00',
          '/api/library/items/org/%00',
          '/community/bugs/%00',
          '/community/u/%00',
          '/library/orgs/%00',
          '/blog/%00',
          '/%00',
          '/api/community/bugs?q=%00',
          '/api/library/items?q=%00',
          '/api/library/items?tag=%00',
          '/community/bugs?q=%00',
          '/library?q=a%00',
          '/api/community/bugs/%ff',
          '/api/community/bugs/%ed%a0%80',
          '/community/u/%ff',
          '/%',
          '/%zz',
          '/api/%',
          '/api/images/org/%00',
          '/api/auth/oauth2/authorize?client_id=%00',
          '/oauth/consent?client_id=%00',
        ],
        String,
        async (path) =>
          holdStatus(await target.send({ path, headers: { Accept: 'text/html' } }), [200, 302, 303, 400, 404], path),
      ),
  },
]
