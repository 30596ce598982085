// What is read of a response, so that a `fetch` need not be the platform's own.

/** Headers of a response. */
export type ResponseHeaders = Pick<Headers, 'get' | 'has'>

/** Every `Response` has this. */
export interface FetchResponse extends Pick<Response, 'ok' | 'status' | 'body' | 'text' | 'arrayBuffer'> {
  readonly headers: ResponseHeaders
  /** The bytes as they come, where that costs less than `body`. */
  readonly chunks?: AsyncIterable<Uint8Array>
}
