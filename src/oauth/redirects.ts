// Where clients may have people returned to: https, loopback http, or a private scheme that belongs to an app (RFC 8252, 7).
import { isLoopback } from '../runtime/addresses.ts'

const MAX_REDIRECT_URIS = 50
const MAX_URI_LENGTH = 2_000

/**
 * Schemes with a built-in meaning in browsers or operating systems: they run text, show pages or files as if the browser had created
 * them, open a connection, or start another program with their content.
 */
const TAKEN = new Set(
  [
    'javascript vbscript livescript mocha data blob file filesystem about view-source view-image jar resource cid mid',
    'mhtml mk its ms-its hcp res help shell search wyciwyg extension isolated-app http-stream devtools webview opera edge',
    'brave vivaldi safari firefox chromium internet-explorer content intent android-app market itms itms-apps itms-appss',
    'itmss prefs app-settings shortcuts facetime facetime-audio sms smsto mms mmsto tel callto fax modem sip sips mailto im',
    'xmpp irc ircs irc6 news nntp snews feed rss webcal calshow maps geo ftp ftps sftp tftp ws wss gopher wais telnet tn3270',
    'rlogin ssh scp rsync smb cifs nfs afp ldap ldaps dict imap imaps pop pops dav davs vnc rdp rtsp rtsps mmst mmsh magnet',
    'ed2k bitcoin ethereum otpauth otpauth-migration wifi bluetooth usb nfc npipe applescript osascript powershell cmd',
    'x-man-page onenote outlook infopath itms-services itms-watch x-safari-http x-safari-https admin apt apturl snap flatpak',
    'appstream steam trash recent network computer burn info ghelp gnome-help man yelp pkcs11 session localexplorer',
  ].flatMap((schemes) => schemes.split(' ')),
)

/** Whole families of them. */
const TAKEN_FAMILIES =
  /^(?:ms-|web\+|x-safari-|chrome|x-apple|com\.apple\.|com\.microsoft\.|microsoft|windows|moz-|about|ext\+|search-)/

/** Schemes without a dot of apps that are clients; an operator adds others (REDIRECT_SCHEMES). */
const KNOWN_APPS = new Set([
  ...[
    'cursor',
    'vscode',
    'vscode-insiders',
    'vscodium',
    'code-oss',
    'windsurf',
    'windsurf-next',
    'trae',
    'kiro',
    'zed',
  ],
  ...['jetbrains', 'positron', 'raycast', 'claude', 'chatgpt', 'goose', 'warp', 'obsidian', 'lmstudio', 'cherrystudio'],
])

/** Whether a client that registered before may go on with this redirect URI: what is taken by a browser or a system it never may. */
export const isRefused = (uri: string): boolean => badUri(uri, 'any') !== undefined

/**
 * The problem with the redirect URIs beyond the library's checks (RFC 7591, 3.2.2); undefined when there is none. `more` are schemes that the
 * operator allows.
 */
export function badRedirectUri(uris: unknown, more: readonly string[]): string | undefined {
  if (uris === undefined) return undefined
  if (!Array.isArray(uris) || !uris.every((uri) => typeof uri === 'string'))
    return 'redirect_uris must be an array of URIs'
  if (uris.length > MAX_REDIRECT_URIS) return `redirect_uris must have at most ${MAX_REDIRECT_URIS} entries`
  for (const text of uris) {
    const bad = badUri(text, more)
    if (bad) return bad
  }
  return undefined
}

function badUri(text: string, more: readonly string[] | 'any'): string | undefined {
  // A parser drops line breaks and converts backslashes; the original text is stored and compared.
  if (!/^[!-[\]-~]+$/.test(text) || /%(?:[01][\da-f]|7f)/i.test(text)) {
    return 'redirect_uris must be URIs without control characters, spaces or backslashes'
  }
  const uri = text.length <= MAX_URI_LENGTH ? URL.parse(text) : null
  if (!uri) return 'redirect_uris must only contain valid URIs'
  if (text.includes('#')) return 'redirect_uris must not contain fragments'
  if (uri.username || uri.password) return 'redirect_uris must not contain credentials'
  if (uri.protocol === 'https:') return undefined
  if (uri.protocol === 'http:' ? isLoopback(uri.hostname) : isPrivate(uri.protocol, more)) return undefined
  return 'redirect_uris must use https, a loopback address or a private scheme of an app, which has a dot'
}

/** A scheme of an app has a dot, as the name of a domain in reverse (RFC 8252, 7.1), or is one of those that are known. */
function isPrivate(protocol: string, more: readonly string[] | 'any'): boolean {
  const scheme = protocol.slice(0, -1)
  if (TAKEN.has(scheme) || TAKEN_FAMILIES.test(scheme)) return false
  return more === 'any' || scheme.includes('.') || KNOWN_APPS.has(scheme) || more.includes(scheme)
}
