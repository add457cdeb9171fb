// Pages of the API reference, derived from the operations and their OpenAPI document.

import { ERROR_WORDS } from '../../../src/core/error-words.ts';
import type { ErrorCode } from '../../../src/core/errors.ts';
import { httpToolRefusal } from '../../../src/mcp/http-tool.ts';
import { documentedErrors, openApiDocument } from '../../../src/operations/node/openapi.ts';
import { isMedia, type Operation } from '../../../src/operations/operation.ts';
import { methodOf, pathOf } from '../../../src/operations/route.ts';
import type { OperationCall } from '../../../src/portal/reference/operation-call.ts';
import type {
  ErrorRow,
  FieldRow,
  FieldSection,
  OperationLink,
  OperationPage,
  ReferenceIndex,
} from '../../../src/portal/reference/operation-page.ts';
import { SOLVERS } from '../../../src/solvers/index.ts';
import { PRESETS } from '../../../src/solvers/presets.ts';
import { fieldRow, fieldRows } from './field-rows.ts';
import { groupedOperations } from './groups.ts';
import { type RecordedAnswer, type RecordedAnswers, readRecordedAnswers } from './recorded-answers.ts';
import { sampleOf } from './sample.ts';
import { resolve, type Schema, type Schemas } from './schema.ts';

export interface Reference {
  readonly index: ReferenceIndex;
  /** By name of the operation, in the order of the list. */
  readonly pages: ReadonlyMap<string, OperationPage>;
}

interface OperationObject {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: 'path' | 'query' | 'header';
    readonly required?: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly schemas: Schemas };
}

const JSON_TYPE = 'application/json';
const EVENT_STREAM = 'text/event-stream';

/** @throws Error for an operation whose tag stands in no group */
export function referenceOf(
  operations: readonly Operation[],
  answers: RecordedAnswers = readRecordedAnswers(),
): Reference {
  // Through JSON, because the generator shares objects and leaves undefined members.
  const { paths, components } = JSON.parse(JSON.stringify(openApiDocument(operations))) as Document;
  const groups = groupedOperations(operations);
  const pages = groups.flatMap(({ title, operations: members }) =>
    members.map((operation) => {
      const object = paths[pathOf(operation)]?.[methodOf(operation).toLowerCase()];
      if (object === undefined) throw new Error(`${operation.name} is not in the OpenAPI document.`);
      const page = operationPage(operation, object, components.schemas, title);
      return [operation.name, withAnswer(page, answers[operation.name])] as const;
    }),
  );
  return {
    index: { groups: groups.map((group) => ({ ...group, operations: group.operations.map(linkOf) })) },
    pages: new Map(pages),
  };
}

function linkOf(operation: Operation): OperationLink {
  const { name, summary, tier } = operation;
  const access = tier === 'public' || tier === 'admin' ? tier : 'key';
  return { name, method: methodOf(operation), path: pathOf(operation), summary, access };
}

function operationPage(operation: Operation, object: OperationObject, schemas: Schemas, group: string): OperationPage {
  const { summary, description } = operation;
  const { parameters = [], requestBody } = object;
  const body = requestBody?.content[JSON_TYPE]?.schema;
  const textBody = body === undefined ? requestBody?.content['text/plain'] : undefined;
  const inPlace = (place: FieldSection['place']) =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, schema, required = false }) => fieldRow(name, schema, required, schemas));
  const textRows = operation.text && textBody ? [fieldRow(operation.text.field, textBody.schema, true, schemas)] : [];
  const bodyRows = body === undefined ? textRows : inReadingOrder(operation, fieldRows(body, schemas));
  const places: readonly FieldSection[] = [
    { place: 'path', rows: inPlace('path') },
    { place: 'query', rows: inPlace('query') },
    { place: 'body', rows: bodyRows },
    { place: 'header', rows: inPlace('header') },
  ];
  const required = [
    ...parameters.filter((one) => one.required === true).map(({ name, schema }) => [name, schema] as const),
    ...requiredFields(body, schemas),
    ...(operation.text && textBody ? [[operation.text.field, textBody.schema] as const] : []),
  ];
  return {
    link: linkOf(operation),
    group,
    ...(description === undefined || description === summary ? {} : { description }),
    call: callOf(operation),
    ...inputOf(operation, required, schemas),
    sections: places.filter(({ rows }) => rows.length > 0),
    answer: answerOf(operation, object, schemas),
    errors: errorRows(operation),
  };
}

/** A recorded answer stands with its own input, and instead of the form made from the schema. */
function withAnswer(page: OperationPage, recorded: RecordedAnswer | undefined): OperationPage {
  if (recorded === undefined) return page;
  const { shape: _, ...answer } = page.answer;
  return { ...page, input: recorded.input, answer: { ...answer, recorded: recorded.answer } };
}

/** Required fields first, then those of the solver itself before those that every solver has. */
function inReadingOrder({ solver }: Operation, rows: readonly FieldRow[]): FieldRow[] {
  const own = SOLVERS.find(({ id }) => id === solver)?.inputs.shape ?? {};
  const rankOf = ({ name, isRequired }: FieldRow) => (isRequired ? 0 : name in own ? 1 : 2);
  return [...rows].sort((a, b) => rankOf(a) - rankOf(b));
}

function requiredFields(body: Schema | undefined, schemas: Schemas): (readonly [string, Schema])[] {
  if (body === undefined) return [];
  const { properties = {}, required = [] } = resolve(body, schemas).schema;
  return Object.entries(properties).filter(([name]) => required.includes(name));
}

/** A solver, whose own example is its defaults, has the first of its presets as its example. */
function exampleOf({ example = {}, solver }: Operation): { example: OperationPage['input']; preset?: string } {
  const preset = Object.keys(example).length === 0 ? PRESETS.find((one) => one.solver === solver) : undefined;
  if (preset === undefined) return { example: example as OperationPage['input'] };
  return { example: preset.input, preset: preset.title };
}

/** The example of the operation, and values from the schema for the required fields that it leaves out. */
function inputOf(operation: Operation, required: readonly (readonly [string, Schema])[], schemas: Schemas) {
  const { example: given, preset } = exampleOf(operation);
  const missing = required.filter(([name]) => given[name] === undefined);
  return {
    input: {
      ...Object.fromEntries(missing.map(([name, schema]) => [name, sampleOf(schema, schemas, name)])),
      ...given,
    },
    madeUp: missing.map(([name]) => name),
    ...(preset === undefined ? {} : { preset }),
  };
}

function callOf(operation: Operation): OperationCall {
  const { name, route, tier, solver, text, once } = operation;
  const mcp = operation.mcp ?? once?.mcp;
  const toolInput = mcp?.input ?? once?.input ?? operation.input;
  const refusal = httpToolRefusal(operation, pathOf(operation));
  return {
    name,
    route,
    needsKey: tier !== 'public',
    answers: answerKindOf(operation),
    ...(solver === undefined ? {} : { solver }),
    ...(text === undefined ? {} : { textBody: text.field }),
    ...(mcp === undefined ? {} : { tool: { name: mcp.tool, fields: Object.keys(toolInput.shape) } }),
    ...(refusal === undefined ? {} : { closedToTools: refusal }),
  };
}

function answerKindOf({ output }: Operation): OperationCall['answers'] {
  if (!isMedia(output)) return 'json';
  if (output.mediaType === EVENT_STREAM) return 'events';
  return /^(text\/|application\/json)/.test(output.mediaType) ? 'text' : 'bytes';
}

function answerOf(operation: Operation, { responses }: OperationObject, schemas: Schemas): OperationPage['answer'] {
  const status = operation.status ?? 200;
  const content = responses[`${status}`]?.content ?? {};
  const schema = isMedia(operation.output) ? undefined : content[JSON_TYPE]?.schema;
  return {
    status,
    mediaTypes: Object.keys(content),
    rows: schema === undefined ? [] : fieldRows(schema, schemas),
    ...(schema === undefined ? {} : { shape: sampleOf(schema, schemas) }),
  };
}

/** Its own errors first. */
function errorRows(operation: Operation): ErrorRow[] {
  const own = new Set<ErrorCode>(operation.errors);
  const rows = [...documentedErrors(operation)].flatMap(([status, codes]) =>
    codes.map((code): ErrorRow => {
      const { meaning } = ERROR_WORDS[code];
      return { code, status, meaning, ...(own.has(code) ? {} : { isCommon: true }) };
    }),
  );
  return [...rows.filter(({ isCommon }) => !isCommon), ...rows.filter(({ isCommon }) => isCommon)];
}
