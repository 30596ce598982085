// login, logout, whoami, profiles.
import { platform } from 'node:os'
import type { Tokens } from '../../client/src/token-endpoint.ts'
import type { Command, Context, Values } from './command.ts'
import { profileNames } from './profiles.ts'
import { line } from './text.ts'
import { NotSignedInError, UsageError } from './usage.ts'

const SCOPES = 'community:read community:write library:read library:write offline_access'
/** The client of every server that needs no registration (interface.md, section 5). */
const CLIENT = 'monoagent'
const PATIENCE_MILLISECONDS = 300_000

const login: Command = {
  usage: '[--server URL] [--email ADDRESS | --device | --token]',
  summary: 'Sign in, with your browser, on another device, with a mailed code, or with a token of yours',
  details: `  --email ADDRESS   have a code mailed instead of opening a browser
  --device          show a code to type on another device
  --token           take a personal access token from the standard input
  --code CODE       the mailed code, if you have it already
  --scope SCOPES    what to ask for (${SCOPES})
  --client ID       the client to sign in as (${CLIENT})
  --no-browser      show the address and open nothing`,
  options: {
    email: { type: 'string' },
    device: { type: 'boolean' },
    token: { type: 'boolean' },
    code: { type: 'string' },
    scope: { type: 'string' },
    client: { type: 'string' },
    'no-browser': { type: 'boolean' },
  },
  words: [0, 0],
  async run(context, { values }) {
    const url = context.server ?? (await context.tokens.read())?.url
    if (url === undefined) throw new UsageError('Where? Give --server https://...')
    const asked = { url, clientId: text(values, 'client') ?? CLIENT, scope: text(values, 'scope') ?? SCOPES }
    const email = text(values, 'email')
    const tokens =
      email !== undefined
        ? await byMail(context, { ...asked, email }, values)
        : values['device'] === true
          ? await (await import('./login-device.ts')).byDevice(context, asked)
          : values['token'] === true
            ? await (await import('./login-token.ts')).byToken(context, asked)
            : await byBrowser(context, asked, values)
    await context.tokens.write(tokens)
    if (values['json'] !== true)
      context.say(`Signed in to ${await named(context, tokens.url)} as profile ${context.profile}.`)
    context.say(`The credentials are in ${line(await context.tokens.place())}.`)
    context.report({ profile: context.profile, server: tokens.url, scope: tokens.scope })
  },
}

/** Loaded where a message names a server. */
const named = async (context: Context, url: string) => (await import('./server-name.ts')).serverName(context, url)

interface LoginServer {
  url: string
  clientId: string
  scope: string
}

const text = (values: Values, name: string) => values[name] as string | undefined

async function byMail(
  context: Context,
  { scope, ...account }: LoginServer & { email: string },
  values: Values,
): Promise<Tokens> {
  const { ask, show, signal, fetch } = context
  const { redeemCode, requestCode } = await import('../../client/src/sign-in.ts')
  let code = text(values, 'code')
  if (code === undefined) {
    await requestCode({ ...account, scope, signal, fetch })
    show(`If ${account.email} has an account at ${await named(context, account.url)}, a code is on its way.`)
    code = await ask('Code: ')
  }
  return redeemCode({ ...account, code: code.trim(), signal, fetch })
}

async function byBrowser({ show, signal, fetch }: Context, asked: LoginServer, values: Values): Promise<Tokens> {
  const { signInWithBrowser } = await import('../../client/src/loopback.ts')
  const deadline = new AbortController()
  const stop = () => deadline.abort(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  const timer = setTimeout(
    () => deadline.abort(new UsageError('The browser did not come back in time')),
    PATIENCE_MILLISECONDS,
  )
  try {
    return await signInWithBrowser({
      ...asked,
      fetch,
      signal: deadline.signal,
      open(address) {
        show(`Open this address to sign in:\n${address}`)
        if (values['no-browser'] !== true) void openBrowser(address)
      },
    })
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}

/** Without a browser the address is on the screen. */
async function openBrowser(address: string): Promise<void> {
  const { spawn } = await import('node:child_process')
  const [command, ...args] =
    platform() === 'darwin'
      ? ['open']
      : platform() === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler']
        : ['xdg-open']
  const child = spawn(command as string, [...args, address], { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
}

const logout: Command = {
  usage: '',
  summary: 'Revoke the credentials of the profile and forget them',
  words: [0, 0],
  async run({ tokens, signal, fetch, say, report, profile }) {
    if (!(await tokens.read())) throw new NotSignedInError()
    const { signOut } = await import('../../client/src/sign-in.ts')
    await signOut(tokens, { signal, fetch })
    say(`Signed out of profile ${profile}.`)
    report({ profile })
  },
}

const whoami: Command = {
  usage: '',
  summary: 'Show whose credentials these are, and what they may do',
  words: [0, 0],
  async run(context, { values }) {
    const { ownClient, url, say, report, profile } = context
    const { user, scopes } = await (await ownClient()).library.me()
    const who = `${line(user.username ?? user.name ?? user.id)} <${line(user.email)}>`
    if (values['json'] !== true) say(`${who} at ${await named(context, await url())}, profile ${profile}`)
    say(`Scopes: ${scopes.join(' ')}`)
    report({ ...user, scopes, server: await url(), profile })
  },
}

const profiles: Command = {
  usage: '',
  summary: 'List the profiles that are signed in',
  words: [0, 0],
  async run({ environment, profile, say, report }) {
    const names = await profileNames(environment)
    for (const name of names) say(name === profile ? `${name} (this one)` : name)
    report(names)
  },
}

export const accountCommands = { login, logout, whoami, profiles }
