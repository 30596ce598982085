// Threat 14: text that a database or a reader trips over.
import { type Attack, holdEach, holdStatus } from './attack.ts'
import { freshEmail, freshPassword } from './person.ts'
import { makeBug } from './things.ts'

const TEXT = '14 text'

const hostile = ['a\u0000b', 'a\ud800b', '\udc00', '\u0000']

export const texts: Attack[] = [
  {
    name: 'NUL and lone surrogates are refused wherever text is taken',
    clause: TEXT,
    needs: ['accounts'],
    async run(target) {
      const alice = await target.member('alice')
      const bug = await makeBug(alice)
      return holdEach(hostile, JSON.stringify, async (text) => {
        const refused = async (path: string, body: object, method = 'POST') =>
          holdStatus(await alice.json(method, path, body), [400, 401], path)
        await refused('/api/community/bugs', { title: text, description: 'd', severity: 'low' })
        await refused('/api/community/posts', { title: 't', body: text })
        await refused(`/api/community/bugs/${bug}/comments`, { body: text })
        await refused('/api/community/profile', { name: text }, 'PATCH')
        await refused('/api/community/profile', { name: 'x', tags: [text] }, 'PATCH')
        await refused('/api/community/username', { username: text })
        await refused('/api/auth/sign-in/email', { email: `${text}@example.com`, password: 'x' })
        await refused('/api/auth/sign-in/email', { email: 'a@example.com', password: `long enough ${text}` })
        await refused('/api/auth/sign-up/email', { name: text, email: freshEmail(), password: freshPassword() })
        await refused('/api/auth/agent/claim', { email: 'a@example.com', client_id: text, scope: 'community:read' })
        await refused('/api/auth/agent/claim', { email: 'a@example.com', client_id: 'monoagent', scope: text })
        await refused('/api/auth/oauth2/consent', { accept: true, oauth_query: text })
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
