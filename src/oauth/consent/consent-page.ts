// The consent page: who asks, what for in plain words, as whom, where it returns to; two equal buttons.
import type { Reply } from '../../request/endpoint.ts'
import { isScope, type ScopeWords, scopeNames, scopes } from '../scopes.ts'
import { type Html, html } from './html.ts'
import { page } from './page.ts'

export interface ConsentPage {
  client: { name: string; origin: 'fixed' | 'registered' | 'document'; id: string }
  redirectUri: string
  scope: string
  account: { email: string; username: string | null }
  /** The page's own query, which comes back with the decision. */
  query: string
  accent: string | undefined
  /** What was wrong with the username that was just tried. */
  usernameError?: { message: string; tried: string }
}

const headings: Record<ScopeWords['kind'], string> = {
  identity: 'About you',
  read: 'Read',
  write: 'Write',
  stay: 'How long',
}

export function consentPage(shown: ConsentPage): Reply {
  const { client, redirectUri, account, query, accent } = shown
  const content = html`<div class="card">
<h1>${client.name} wants to use your account</h1>
<p class="quiet">${provenance(client)} It returns to <strong>${returnsTo(redirectUri)}</strong>.</p>
<p>It will be able to:</p>
${scopeList(shown.scope)}
<form method="post" action="/api/auth/oauth2/consent">
<input type="hidden" name="oauth_query" value="${query}">
<div class="buttons">
<button name="accept" value="false">Deny</button>
<button name="accept" value="true">Allow</button>
</div>
</form>
</div>
<form class="inline" method="post" action="/oauth/sign-out">
<p class="quiet">You are signed in as ${account.email}${account.username ? ` (${account.username})` : ''}.
<input type="hidden" name="oauth_query" value="${query}">
<button class="link">Use another account</button></p>
</form>
${account.username === null && usernameForm(shown)}`
  return page({ title: `Allow ${client.name}?`, content, redirectUri, accent })
}

function provenance({ origin, id }: ConsentPage['client']): string {
  if (origin === 'fixed') return 'This is Guildhall’s own app.'
  if (origin === 'document') return `The app is described at ${URL.parse(id)?.host}; Guildhall has not checked it.`
  return 'The app gave itself this name; Guildhall has not checked it.'
}

/** The host, or the scheme by which an app on this device is opened. */
function returnsTo(redirectUri: string): string {
  const uri = URL.parse(redirectUri)
  if (!uri) return redirectUri
  return /^https?:$/.test(uri.protocol) ? uri.host : `${uri.protocol}// (an app on this device)`
}

function scopeList(scope: string): Html {
  const known = scopeNames(scope).filter(isScope)
  const groups = (['identity', 'read', 'write', 'stay'] as const).map((kind) =>
    known.filter((name) => scopes[name].kind === kind),
  )
  return html`${groups
    .filter((group) => group.length > 0)
    .map(
      (group) => html`<h2>${headings[scopes[group[0]!].kind]}</h2>
<ul>${group.map((name) => html`<li data-scope="${name}">${scopes[name].words} <span class="quiet">(${name})</span></li>`)}</ul>`,
    )}`
}

/** Offered, not forced: nothing here needs a username. */
function usernameForm({ query, usernameError }: ConsentPage): Html {
  return html`<form class="card" method="post" action="/oauth/username">
<h2>Pick a username, if you like</h2>
<input type="hidden" name="oauth_query" value="${query}">
<label for="username">Username</label>
<p class="help" id="username-help">3 to 24 letters, digits, - or _. It stands beside what you post; you can do this later.</p>
<input id="username" name="username" autocomplete="username" required minlength="3" maxlength="24" value="${usernameError?.tried ?? ''}"
 aria-describedby="username-help${usernameError ? ' username-error' : ''}"${usernameError && html` aria-invalid="true" autofocus`}>
${usernameError && html`<p class="error" id="username-error">${usernameError.message}</p>`}
<div class="buttons"><button>Save username</button></div>
</form>`
}
