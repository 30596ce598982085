// Pages of endpoints, such as the consent page: rendered by the site from data that is passed in process. Their one script has the keyboard
// shortcuts; they are rendered without the reader's credentials, and are never cached.
import type { RenderView } from '../http/endpoint.ts'
import type { RenderPage } from './mount.ts'

export function viewRenderer(renderPage: RenderPage, baseUrl: string): RenderView {
  return async (view, { request: asked, id }) => {
    // The looks and the language are all that a page of an endpoint knows of its reader.
    const cookies = [...(asked.headers.get('cookie') ?? '').matchAll(/(?:^|; ?)((?:theme|language)=\w+)/g)]
    const headers = {
      'Accept-Language': asked.headers.get('accept-language') ?? '',
      Cookie: cookies.map(([, cookie]) => cookie).join('; '),
    }
    const request = new Request(baseUrl + view.route, { headers })
    const response = await renderPage(request, { id, address: '', view })
    if (response.status !== 200) throw new Error(`${view.route} was not rendered: ${response.status}`)
    const nonce = /'nonce-([^']+)'/.exec(response.headers.get('content-security-policy') ?? '')?.[1]
    return {
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': policy(`'nonce-${nonce}'`, `'self' ${view.formTarget ?? ''}`.trim()),
      },
      body: await response.text(),
    }
  }
}

/** Stricter than the site's: a script is ours by its nonce, or what that loads; it parses no HTML, and asks this server alone. */
const policy = (nonce: string, formTargets: string) =>
  `default-src 'none'; script-src ${nonce} 'strict-dynamic'; connect-src 'self'; style-src 'self' ${nonce}; font-src 'self'; img-src 'self'; form-action ${formTargets}; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`
