// Endpoints outside the contract: requests of another protocol, or pages. Slices make them; surfaces mount them.
import type { Problem } from '../contract/problem.ts'

/** A request that has come in, read up to the limit. */
export interface EndpointRequest {
  request: Request
  readonly url: URL
  /** Empty for GET and DELETE. */
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

/** The data of a page of the site. It is passed to the site in process, never in a URL or a header. */
export interface View {
  /** The page: a route of the site that answers 404 to a request from outside. */
  route: string
  title: string
  /** Where its forms may lead besides the site: a source of CSP's `form-action`. */
  formTarget?: string | undefined
}

export type Serve = (received: EndpointRequest) => Promise<EndpointResponse>

type EndpointMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Endpoint {
  /** The path on the site; `:id` is one segment. */
  path: string
  /** HEAD works wherever GET does. */
  methods: Partial<Record<EndpointMethod, Serve>>
  /** How many bytes a body has at most; 48 KiB unless told. */
  bodyLimit?: number
  /**
   * Cross-origin access: read responses (never with cookies), send users here, or neither; then a cross-site POST is
   * refused.
   */
  otherSites: 'read' | 'send' | 'keep out'
  /** Renders an error. */
  refuse(problem: Problem): EndpointResponse
}
