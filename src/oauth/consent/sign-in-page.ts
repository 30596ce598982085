// The sign-in page: by password, or by a code that is mailed, which makes the account when there is none.
import type { Reply } from '../../request/endpoint.ts'
import { html } from './html.ts'
import { page } from './page.ts'

export interface SignInPage {
  /** Which of the two steps: the address (and perhaps a password), or the code that was mailed there. */
  step: 'address' | 'code'
  clientName: string | undefined
  email: string
  /** The authorization request to go on with. */
  query: string
  redirectUri: string | null
  accent: string | undefined
  error?: { field: 'email' | 'password' | 'code'; message: string; status: number }
}

export function signInPage(shown: SignInPage): Reply {
  const { clientName, step, redirectUri, accent, error } = shown
  const content = html`<div class="card">
<h1>Sign in${clientName && html` to go on to ${clientName}`}</h1>
${step === 'address' ? addressForm(shown) : codeForm(shown)}
</div>`
  return page({
    title: error ? 'Sign in: there is a problem' : 'Sign in',
    content,
    redirectUri,
    accent,
    status: error?.status ?? 200,
  })
}

/** The attributes and the sentence that tie an error to its field. */
function faults({ error }: SignInPage, field: string) {
  const here = error?.field === field ? error : undefined
  return {
    attributes: here && html` aria-invalid="true" aria-describedby="${field}-error" autofocus`,
    sentence: here && html`<p class="error" id="${field}-error" role="alert">${here.message}</p>`,
  }
}

function addressForm(shown: SignInPage) {
  const email = faults(shown, 'email')
  const password = faults(shown, 'password')
  return html`<p class="quiet">New here? Type your address and have a code mailed: that makes your account.</p>
<form method="post" action="/oauth/sign-in">
<input type="hidden" name="oauth_query" value="${shown.query}">
<label for="email">Email address</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="254" value="${shown.email}"${email.attributes ?? (!shown.error && html` autofocus`)}>
${email.sentence}
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="128"${password.attributes}>
${password.sentence}
<div class="buttons">
<button name="how" value="password" class="accent">Sign in</button>
<button name="how" value="send-code">Mail me a code</button>
</div>
</form>
${siteSignIn(shown)}`
}

/** The site signs in by passkey, too; from there it goes on to the consent page. Not for who must prove anew that they are here. */
function siteSignIn({ query }: SignInPage) {
  const request = new URLSearchParams(query)
  if (!request.has('client_id') || request.has('max_age') || request.get('prompt')?.includes('login')) return undefined
  const to = encodeURIComponent(`/oauth/consent?${request}`)
  return html`<p class="quiet more"><a href="/sign-in?to=${to}">Sign in with a passkey, or make an account with a password</a></p>`
}

function codeForm(shown: SignInPage) {
  const code = faults(shown, 'code')
  return html`<p>If ${shown.email} can receive mail, a code is on its way. It is good for 10 minutes.</p>
<form method="post" action="/oauth/sign-in">
<input type="hidden" name="oauth_query" value="${shown.query}">
<input type="hidden" name="email" value="${shown.email}">
<label for="code">The six digits</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required maxlength="32"${code.attributes ?? html` autofocus`}>
${code.sentence}
<div class="buttons">
<button name="how" value="code" class="accent">Sign in</button>
<button name="how" value="send-code" formnovalidate>Mail another code</button>
</div>
</form>`
}
