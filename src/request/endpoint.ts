// What is served but is no operation: another protocol's request, or a page. Surfaces mount it; slices make it.
import type { Problem } from '../contract/problem.ts'

/** A request that has come in, read up to the limit. */
export interface EndpointRequest {
  request: Request
  readonly url: URL
  /** Empty for GET. */
  body: string
  now: string
  address: string
  /** The raw value of the session cookie, if there was one. */
  sessionToken: string | undefined
}

export interface EndpointResponse {
  status: number
  headers?: Readonly<Record<string, string>>
  /** Set-Cookie lines. */
  cookies?: readonly string[]
  body: string | null
  /** A page of the site, in the place of `body`. */
  view?: View
}

/** What a page of the site shows. It is handed to the site in process, never in a URL or a header. */
export interface View {
  /** The page: a route of the site that answers 404 to a request from outside. */
  route: string
  title: string
  /** Where its forms may lead besides the site: a source of CSP's `form-action`. */
  formTarget?: string | undefined
}

export type Serve = (received: EndpointRequest) => Promise<EndpointResponse>

export interface Endpoint {
  /** The path on the site. */
  path: string
  /** HEAD works wherever GET does. */
  methods: { GET?: Serve; POST?: Serve }
  /**
   * What other sites may do: read answers (never with cookies), send people here, or neither; then a POST from one is refused.
   */
  otherSites: 'read' | 'send' | 'keep out'
  /** How it says no. */
  refuse(problem: Problem): EndpointResponse
}
