// The cookies of a browser in a test: kept by their names, and sent with every request.

export class CookieJar {
  readonly #cookies = new Map<string, string>()

  /** The request with the cookies; one that brings its own keeps them. */
  give(request: Request): Request {
    const line = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    if (line && !request.headers.has('cookie')) request.headers.set('Cookie', line)
    return request
  }

  /** The response, after what it sets is kept. */
  take(response: Response): Response {
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      if (/; Max-Age=0\b/.test(line)) this.#cookies.delete(name!)
      else this.#cookies.set(name!, value!)
    }
    return response
  }

  /** Forgets a cookie, as a browser does whose owner clears it. */
  remove(name: string): void {
    this.#cookies.delete(name)
  }
}
