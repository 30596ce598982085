// Browsers without a session: each stores cookies as a browser does, and sends a User-Agent.
import { api } from '../src/api.ts'
import { connect } from '../src/surfaces/client.ts'
import { CookieJar } from './cookies.ts'
import type { Person, World } from './world.ts'

export const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'
export const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15'

/** A browser that can sign in. */
export function newBrowser({ app, dependencies, anonymous }: World, userAgent = FIREFOX): Person {
  const { baseUrl } = dependencies.config
  const cookies = new CookieJar()
  const send = async (request: Request) => {
    request.headers.set('User-Agent', userAgent)
    return cookies.take(await app.fetch(cookies.give(request)))
  }
  return {
    ...anonymous,
    ...connect(api, { baseUrl, fetch: send }),
    request: (path, init) => send(new Request(new URL(path, baseUrl), init)),
  }
}

/** A browser in which this person is signed in with the password they signed up with. */
export async function signedInBrowser(world: World, person: Person, userAgent?: string): Promise<Person> {
  const { email, name } = await person.account()
  const browser = newBrowser(world, userAgent)
  await browser.accounts.signIn({ email, password: `${name} has a password` })
  return browser
}
