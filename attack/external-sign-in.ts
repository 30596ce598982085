// Sign-in with an external provider, without one: an answer that no browser asked for opens nothing, and no page leads elsewhere.
import { type Attack, hold, holdEach, holdRefused, shown } from './attack.ts'
import { foreign } from './csrf.ts'

const CALLBACK = '/sign-in/external'

const QUERIES = [
  'code=x&state=y',
  'code=x',
  'state=y&error=access_denied',
  'code=x&state=y&iss=https%3A%2F%2Felsewhere.example',
  'id_token=e30.e30.x&state=y',
]

export const externalSignIn: Attack[] = [
  {
    name: 'an external sign-in that no browser began opens no session and leads nowhere else',
    clause: '7 csrf',
    async run(target) {
      await holdEach(
        QUERIES,
        (query) => query,
        async (query) => {
          const person = target.anonymous()
          person.cookies.set('guildhall_external', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
          await holdRefused(person.api.external.finish({ query }), [401, 404], 'the answer')
          const page = await person.get(`${CALLBACK}?${query}`)
          const location = page.headers.location ?? ''
          hold(page.status === 303 && location.startsWith('/sign-in'), `the page: ${shown(page)} ${location}`)
          hold(!(await person.isSignedIn()), 'it is signed in')
        },
      )
      return `${QUERIES.length} answers`
    },
  },
  {
    name: 'an external sign-in is begun by no other site, and connected by no anonymous user',
    clause: '7 csrf',
    async run(target) {
      await holdEach(
        foreign,
        ([name]) => name,
        async ([, headers]) => {
          const person = target.anonymous()
          await holdRefused(person.api.external.begin({ to: '/' }, { headers }), [403], 'begun')
          await holdRefused(person.api.external.finish({ query: 'code=x' }, { headers }), [403], 'finished')
          hold(person.cookies.size === 0, 'it has a cookie')
        },
      )
      await holdRefused(target.anonymous().api.external.beginLink({}), [401], 'connected')
      return `${foreign.length} origins`
    },
  },
]
