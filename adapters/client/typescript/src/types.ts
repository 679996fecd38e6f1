import type { paths } from "./api.js";
import type { pages } from "./pages.js";

type Method = "get" | "post" | "put" | "patch" | "delete";

/** The paths that have a method. */
export type PathWith<M extends Method> = { [P in keyof paths]: paths[P] extends Record<M, unknown> ? P : never }[keyof paths];

type Operation<P extends keyof paths, M extends Method> = paths[P][M];

type Params<O> = O extends { parameters: infer P } ? ({} extends P ? { params?: P } : { params: P }) : {};

type Body<O> = O extends { requestBody: { content: infer C } }
  ? { body: C[keyof C] }
  : O extends { requestBody?: { content: infer C } }
    ? { body?: C[keyof C] }
    : {};

/** What a call is given: params, body, and as the operation wants. */
export type Init<P extends keyof paths, M extends Method> = Params<Operation<P, M>> &
  Body<Operation<P, M>> & { headers?: Record<string, string>; signal?: AbortSignal };

/** What the body of an answer is; undefined where there is none. */
export type Data<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { responses: infer R }
    ? { [S in keyof R]: R[S] extends { content: { "application/json": infer D } } ? D : undefined }[keyof R]
    : never;

type Given<I> = {} extends I ? [init?: I] : [init: I];

/** A method of the client: it returns what the operation answers, and throws what the server refuses. */
export type Call<M extends Method> = <P extends PathWith<M>>(
  path: P,
  ...init: Given<Init<P, M>>
) => Promise<{ data: Data<P, M>; response: Response }>;

/** The paths that all reads. */
export type PagedPath = keyof typeof pages;

type PageMethod<P extends PagedPath> = Lowercase<(typeof pages)[P][0]> & Method;

/** One of the records that an operation answers with, page by page. */
export type Item<P extends PagedPath> = Data<P, PageMethod<P>> extends { data: (infer I)[] } ? I : never;

/** Reads all pages, the next one when the items of the one before are used up. */
export type All = <P extends PagedPath>(path: P, ...init: Given<Init<P, PageMethod<P>>>) => AsyncGenerator<Item<P>, void, undefined>;
