// The data of the authorization pages. The site renders it (site/src/routes/oauth), escapes it and has the texts.
import type { Config } from '../config/config.ts'
import type { EndpointResponse, View } from '../request/endpoint.ts'
import type { BoundChoice } from './bounds.ts'

export interface ConsentView extends View {
  route: '/oauth/consent'
  client: { name: string; origin: 'fixed' | 'registered' | 'document'; host: string }
  returnsTo: string
  /** Known scopes; any other is shown nowhere and granted nowhere. */
  scopes: string[]
  /** What it may do at most, to choose from. */
  bounds: BoundChoice[]
  account: { email: string; username: string | null }
  /** The page's own query, which is submitted with the decision. */
  query: string
  /** The error for the username that was just submitted. */
  usernameError?: { message: string; tried: string } | undefined
}

export interface SignInView extends View {
  route: '/oauth/sign-in'
  /** Which of the two steps: the address (and perhaps a password), or the code that was mailed there. */
  step: 'address' | 'code'
  clientName: string | undefined
  email: string
  /** The authorization request to go on with. */
  query: string
  /** Where the site's own sign-in page continues; undefined when the client requires re-authentication. */
  siteSignInTo: string | undefined
  /** The path to go on with after the external provider, where that is the only way in. */
  externalTo?: string | undefined
  /** The client asks for a sign-in with a passkey; whether another one is there. */
  passkey?: { isSignedIn: boolean } | undefined
  error?: { field: 'email' | 'password' | 'code'; message: string } | undefined
}

interface DeviceStep extends View {
  route: '/oauth/device'
  account: ConsentView['account']
}

/** The page of a device: the field for its code, the question, and the result. */
export type DeviceView = DeviceStep &
  (
    | { step: 'code'; typed: string; error?: { message: string } | undefined }
    | {
        step: 'decide'
        client: ConsentView['client']
        scopes: string[]
        bounds: BoundChoice[]
        /** Where the device is: a network, and a browser or a system by name; `isNear` for the network of the reader. */
        from: { network: string; device: string | null; isNear: boolean; at: string }
        code: string
        query: string
      }
    | { step: 'done'; allowed: boolean }
  )

interface ProblemView extends View {
  route: '/oauth/problem'
  sentence: string
  /** The redirect, where only the person may follow it. */
  leaving?: { to: string; host: string }
}

export type AuthorizationView = ConsentView | DeviceView | SignInView | ProblemView

/** The response that shows `view`. Its body is for a server without the site. */
export const show = (view: AuthorizationView, status = 200): EndpointResponse => ({
  status,
  headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  body: `${view.title}\n${'sentence' in view ? `${view.sentence}\n` : ''}`,
  view,
})

export const redirect = (location: string, cookies: readonly string[] = []): EndpointResponse => ({
  status: 303,
  headers: { Location: location },
  cookies,
  body: null,
})

/** For errors that cannot be sent to a client: an unknown client or redirect, a server error. */
export const errorPage = (status: number, sentence: string): EndpointResponse =>
  show({ route: '/oauth/problem', title: 'We can’t complete this sign-in', sentence }, status)

/** For a user who followed a link that only redirects elsewhere: they decide whether to follow it. */
export function leavingPage(to: string, { name }: Pick<Config, 'name'>): EndpointResponse {
  const { protocol, host } = new URL(to)
  const sentence = `An app asked whether you are signed in to ${name}, or sent an invalid request.`
  const leaving = { to, host: host || protocol }
  return show({ route: '/oauth/problem', title: 'You are not signed in', sentence, leaving }, 400)
}

/**
 * Where forms may lead besides the site: a browser applies the same rule to the redirect after a form, so the client's redirect is
 * included. A source cannot name an IPv6 address (CSP 3, 2.3.1), and no other character may end it; in that case the scheme is used.
 */
export function formTarget(redirectUri: string | null): string | undefined {
  const uri = redirectUri ? URL.parse(redirectUri) : null
  if (!uri) return undefined
  const named = /^https?:$/.test(uri.protocol) && /^[\w.-]+$/.test(uri.hostname)
  return named ? uri.origin : uri.protocol
}
