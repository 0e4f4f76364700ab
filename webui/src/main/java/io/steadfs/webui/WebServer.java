package io.steadfs.webui;

import io.steadfs.time.Clock;
import io.steadfs.webui.audit.AuditLog;
import io.steadfs.webui.audit.AuditResource;
import io.steadfs.webui.check.ChecksResource;
import io.steadfs.webui.check.Runs;
import io.steadfs.webui.cluster.Cluster;
import io.steadfs.webui.cluster.History;
import io.steadfs.webui.cluster.LatencyResource;
import io.steadfs.webui.cluster.LeasesResource;
import io.steadfs.webui.cluster.OpenFilesResource;
import io.steadfs.webui.cluster.OverviewResource;
import io.steadfs.webui.cluster.ServersResource;
import io.steadfs.webui.configuration.ConfigurationResource;
import io.steadfs.webui.configuration.Configured;
import io.steadfs.webui.description.DescriptionResource;
import io.steadfs.webui.http.Bodies;
import io.steadfs.webui.http.HealthServlet;
import io.steadfs.webui.http.HostCheck;
import io.steadfs.webui.http.SecurityHeaders;
import io.steadfs.webui.login.Changes;
import io.steadfs.webui.login.Guard;
import io.steadfs.webui.login.SessionResource;
import io.steadfs.webui.login.Sessions;
import io.steadfs.webui.login.Users;
import io.steadfs.webui.login.UsersResource;
import io.steadfs.webui.namespace.Directories;
import io.steadfs.webui.namespace.DirectoryResource;
import io.steadfs.webui.namespace.PartitionsResource;
import io.steadfs.webui.problem.Problems;
import io.steadfs.webui.timeline.TimelineResource;
import io.steadfs.webui.timeline.Timelines;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.eclipse.jetty.ee10.servlet.DefaultServlet;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ResourceServlet;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.MinimumDataRateHandler;
import org.glassfish.jersey.jackson.JacksonFeature;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.ServerProperties;
import org.glassfish.jersey.servlet.ServletContainer;

/**
 * Runs one HTTP server. The server has these paths:
 *
 * <pre>
 *  /api/v1/*    REST, behind {@link Guard}
 *  /health      whether this process serves; no login needed
 *  /webjars/*   libraries that the page uses; no login needed
 *  /*           the page; no login needed, because it has no data in it
 * </pre>
 */
public final class WebServer implements AutoCloseable {
    private static final String PAGE = "io/steadfs/webui/page/";
    private static final String WEBJARS = "META-INF/resources/webjars/";
    private static final List<String> LOOPBACK = List.of("127.0.0.1", "localhost", "[::1]");
    /**
     * This field keeps a strong reference to the logger. If the garbage collector removed the logger, the level of the
     * logger would be lost. At the default level, the logger warns of each resource that is given as an object.
     */
    private static final Logger JERSEY_PROVIDERS = Logger.getLogger("org.glassfish.jersey.internal.inject.Providers");

    static {
        JERSEY_PROVIDERS.setLevel(Level.SEVERE);
    }

    /**
     * Limits on what clients can make the server hold.
     *
     * @param connections largest number of open connections; further clients wait until an open connection ends
     * @param idleMillis milliseconds after which the server ends a connection on which no data moves in either
     * direction
     * @param leastBytesASecond lowest rate at which a client may send a request's body. A slower client would hold a
     * thread.
     */
    record Limits(int connections, long idleMillis, long leastBytesASecond) {
        static final Limits USUAL = new Limits(500, 30_000, 100);
    }

    /**
     * The lowest rate at which a client must read an answer, in bytes a second; 0 = no limit. A client that pauses
     * delays only its own connection.
     */
    private static final long ANY_RATE = 0;

    /** The folder of each library that the page uses. The folder's name contains the library's version. */
    private static final Map<String, String> PARTS =
            Map.of("preact", "preact/10.28.0/", "chart.js", "chart.js/4.5.1/", "picocss__pico", "picocss__pico/2.1.1/");

    private final Server server;
    private final ServerConnector connector;
    private final AuditLog audit;
    private final ScheduledExecutorService looks;
    private final Optional<Users.NewUser> first;

    /**
     * Where and how the server serves.
     *
     * @param bind address on which the server listens
     * @param port 0 = any free port
     * @param names names by which clients may address the server, besides {@code bind}; without ports
     * @param directory directory for users and the audit log
     */
    public record Options(String bind, int port, Set<String> names, Path directory) {
        public Options {
            names = Set.copyOf(names);
        }

        /** @param port 0 = any free port */
        public static Options onLoopback(int port, Path directory) {
            return new Options("127.0.0.1", port, Set.of(), directory);
        }
    }

    /** The objects that the interface shows and changes. */
    public record Views(
            Cluster cluster, Directories directories, Runs runs, Timelines timelines, Configured configured) {}

    private WebServer(
            Server server,
            ServerConnector connector,
            AuditLog audit,
            ScheduledExecutorService looks,
            Optional<Users.NewUser> first) {
        this.server = server;
        this.connector = connector;
        this.audit = audit;
        this.looks = looks;
        this.first = first;
    }

    /** @throws IOException if the directory or the address cannot be used; the message names the cause */
    public static WebServer start(Options options, Views views, Clock clock) throws IOException {
        return start(options, views, clock, Limits.USUAL);
    }

    static WebServer start(Options options, Views views, Clock clock, Limits limits) throws IOException {
        Server server = new Server();
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        ServerConnector connector = new ServerConnector(server, new HttpConnectionFactory(http));
        connector.setHost(options.bind());
        connector.setPort(options.port());
        connector.setIdleTimeout(limits.idleMillis());
        server.addConnector(connector);
        server.addBean(new NetworkConnectionLimit(limits.connections(), connector));
        try {
            // The server opens the port before it creates the first user. If the port cannot be opened, no user exists
            // yet. Otherwise a user could exist whose password nobody saw.
            connector.open();
        } catch (IOException e) {
            throw new IOException(
                    "the web interface cannot listen on " + options.bind() + ":" + options.port() + ": "
                            + e.getMessage(),
                    e);
        }
        Users users = Users.in(options.directory());
        AuditLog audit = AuditLog.in(options.directory());
        Optional<Users.NewUser> first = users.first();
        History history = new History(views.cluster(), clock);
        Sessions sessions = new Sessions(clock, users);
        Changes changes = new Changes(audit, clock);

        ResourceConfig api = new ResourceConfig()
                .property(ServerProperties.WADL_FEATURE_DISABLE, true)
                .property(ServerProperties.RESPONSE_SET_STATUS_OVER_SEND_ERROR, true)
                .register(new Guard(sessions))
                .register(JacksonFeature.withoutExceptionMappers())
                .register(new Problems())
                .register(new SessionResource(users, sessions, audit, clock))
                .register(new UsersResource(users, sessions, changes))
                .register(new AuditResource(audit))
                .register(new OverviewResource(views.cluster(), history, clock))
                .register(new ServersResource(views.cluster()))
                .register(new LatencyResource(views.cluster(), history))
                .register(new LeasesResource(views.cluster(), changes))
                .register(new OpenFilesResource(views.cluster()))
                .register(new ChecksResource(views.runs(), changes))
                .register(new TimelineResource(views.timelines(), changes))
                .register(new DirectoryResource(views.directories()))
                .register(new PartitionsResource(views.directories()))
                .register(new ConfigurationResource(views.configured(), views.cluster()))
                .register(new DescriptionResource());

        ServletContextHandler context = new ServletContextHandler("/");
        context.addFilter(filter(new SecurityHeaders()), "/*", EnumSet.allOf(DispatcherType.class));
        context.addFilter(filter(new HostCheck(names(options))), "/*", EnumSet.of(DispatcherType.REQUEST));
        context.addFilter(filter(new Bodies()), "/*", EnumSet.of(DispatcherType.REQUEST));
        context.addServlet(new ServletHolder(new ServletContainer(api)), "/api/v1/*");
        context.addServlet(new ServletHolder(new HealthServlet()), "/health");
        PARTS.forEach((name, folder) -> context.addServlet(
                files(new ResourceServlet(), WEBJARS + folder, "package.json"), "/webjars/" + name + "/*"));
        context.addServlet(files(new DefaultServlet(), PAGE, "index.html"), "/");

        server.setHandler(new MinimumDataRateHandler(context, limits.leastBytesASecond(), ANY_RATE));
        ScheduledExecutorService looks = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "stead-web-history");
            thread.setDaemon(true);
            return thread;
        });
        WebServer web = new WebServer(server, connector, audit, looks, first);
        try {
            server.start();
        } catch (Exception e) {
            web.close();
            throw new IOException("the web interface cannot start: " + e.getMessage(), e);
        }
        var unused = looks.scheduleWithFixedDelay(history::look, 0, History.STEP_MILLIS, TimeUnit.MILLISECONDS);
        return web;
    }

    private static FilterHolder filter(Filter filter) {
        return new FilterHolder(filter);
    }

    private static Set<String> names(Options options) {
        Set<String> names = new HashSet<>(LOOPBACK);
        names.add(options.bind().toLowerCase(Locale.ROOT));
        names.add("[" + options.bind().toLowerCase(Locale.ROOT) + "]");
        options.names().forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
        return names;
    }

    /**
     * @param known a file in the folder. The method finds the folder by this file, because not every archive has
     * entries for folders.
     */
    private static ServletHolder files(Servlet servlet, String folder, String known) {
        URL file = WebServer.class.getClassLoader().getResource(folder + known);
        if (file == null) {
            throw new IllegalStateException(folder + known + " is not on the class path");
        }
        String base = file.toString();
        ServletHolder holder = new ServletHolder(servlet);
        holder.setInitParameter("baseResource", base.substring(0, base.length() - known.length()));
        holder.setInitParameter("dirAllowed", "false");
        return holder;
    }

    /** The operator account that the first start created. Only this object contains the operator's password. */
    public Optional<Users.NewUser> first() {
        return first;
    }

    public InetSocketAddress address() {
        return new InetSocketAddress(connector.getHost(), connector.getLocalPort());
    }

    public URI uri() {
        String host = connector.getHost();
        return URI.create(
                "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + connector.getLocalPort() + "/");
    }

    @Override
    public void close() throws IOException {
        looks.shutdownNow();
        try {
            server.stop();
        } catch (Exception e) {
            throw new IOException("the web interface does not stop: " + e.getMessage(), e);
        } finally {
            audit.close();
        }
    }
}
