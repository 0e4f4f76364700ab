package io.steadfs.it.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.args.AxeRunOptions;
import com.deque.html.axecore.results.Results;
import com.deque.html.axecore.results.Rule;
import com.deque.html.axecore.selenium.AxeBuilder;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.Select;
import org.openqa.selenium.support.ui.WebDriverWait;

/** A real Chromium without a window, by what people see and do. */
final class Chromium implements AutoCloseable {
    private static final Duration SOON = Duration.ofSeconds(60);
    /** Between two looks whether the page is as it should be. */
    private static final Duration LOOK = Duration.ofMillis(100);

    private static final List<String> BROWSERS = List.of("/usr/bin/chromium", "/usr/bin/chromium-browser");
    private static final List<String> DRIVERS = List.of("/usr/bin/chromedriver", "/usr/lib/chromium/chromedriver");
    private static final Set<String> SERIOUS = Set.of("serious", "critical");

    private final ChromeDriver driver;

    Chromium(Path profile, Path downloads) {
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(found(BROWSERS));
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--user-data-dir=" + profile);
        options.setExperimentalOption("prefs", Map.of("download.default_directory", downloads.toString()));
        options.setCapability("goog:loggingPrefs", logs);
        driver = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(new File(found(DRIVERS)))
                        .build(),
                options);
        looks(1440, 900, "light");
    }

    private static String found(List<String> places) {
        return places.stream()
                .filter(each -> Files.isExecutable(Path.of(each)))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "none of " + places + " is there: bin/test installs it where it may, else install the packages"
                                + " chromium and chromium-driver"));
    }

    /** @param scheme "light" or "dark" */
    void looks(int width, int height, String scheme) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    void open(String address) {
        driver.get(address);
    }

    /** Waits for it. */
    WebElement find(By what) {
        return new WebDriverWait(driver, SOON, LOOK)
                .ignoring(StaleElementReferenceException.class)
                .until(each -> each.findElements(what).stream()
                        .filter(WebElement::isDisplayed)
                        .findFirst()
                        .orElse(null));
    }

    /** Waits until the page shows the text. */
    void see(String text) {
        new WebDriverWait(driver, SOON, LOOK)
                .withMessage(() -> "'" + text + "' in: " + text())
                .until(each -> text().contains(text));
    }

    /** Waits until the page does not show it any more. */
    void seeNoMore(String text) {
        new WebDriverWait(driver, SOON, LOOK)
                .withMessage(() -> "no '" + text + "' in: " + text())
                .until(each -> !text().contains(text));
    }

    /** Of the whole page. */
    String text() {
        return String.valueOf(driver.executeScript("return document.body.innerText"));
    }

    /** Number in a cell of a table, by the texts of its row's first cell and of its column's head; -1 where there is none. */
    long cell(String row, String column) {
        Object found = driver.executeScript("""
                for (const table of document.querySelectorAll("table")) {
                  const heads = [...table.querySelectorAll("thead th")].map((each) => each.textContent);
                  const at = heads.indexOf(arguments[1]);
                  for (const tr of table.querySelectorAll("tbody tr")) {
                    if (at >= 0 && tr.children[0].textContent === arguments[0]) {
                      return tr.children[at].textContent.replaceAll(",", "");
                    }
                  }
                }
                return "-1";
                """, row, column);
        return Long.parseLong(String.valueOf(found));
    }

    long count(By what) {
        return driver.findElements(what).size();
    }

    void click(By what) {
        new WebDriverWait(driver, SOON, LOOK)
                .ignoring(
                        StaleElementReferenceException.class,
                        org.openqa.selenium.ElementClickInterceptedException.class)
                .until(each -> {
                    WebElement element = find(what);
                    if (!element.isEnabled()) {
                        return false;
                    }
                    element.click();
                    return true;
                });
    }

    void clickButton(String text) {
        click(By.xpath("//button[normalize-space()='" + text + "']"));
    }

    void clickLink(String text) {
        click(By.xpath("//a[normalize-space()='" + text + "']"));
    }

    /** Of the field that this label is of. */
    void type(String label, String text) {
        WebElement field = find(field(label));
        field.clear();
        field.sendKeys(text);
    }

    void choose(String label, String option) {
        new Select(find(field(label))).selectByVisibleText(option);
    }

    static By field(String label) {
        String has = "//label[contains(normalize-space(), '" + label + "')]";
        return By.xpath(has + "//input | " + has + "//select");
    }

    /** Types the word into the dialog that asks for it, and goes on. */
    void confirm(String word) {
        WebElement dialog = find(By.cssSelector("dialog[open]"));
        dialog.findElement(By.tagName("input")).sendKeys(word, Keys.ENTER);
        new WebDriverWait(driver, SOON, LOOK)
                .until(each -> each.findElements(By.cssSelector("dialog[open]")).isEmpty());
    }

    @Nullable
    Object run(String script) {
        return driver.executeScript(script);
    }

    /** The whole page, as PNG. */
    void picture(Path file) throws IOException {
        Object data = driver.executeCdpCommand(
                        "Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", false))
                .get("data");
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(file, Base64.getDecoder().decode(String.valueOf(data)));
    }

    /** What those who do not see a page, or use no mouse, would stumble over badly. */
    @SuppressWarnings("deprecation") // of the older way, which is enough for pages without frames
    List<String> barriers() {
        // What is well of a page with thousands of cells need not come over.
        AxeRunOptions options = new AxeRunOptions();
        options.setResultTypes(List.of("violations"));
        // By its own way it loads its half megabyte into the page twice and into a window of its own, for frames of
        // other
        // sites: there are none.
        Results results = new AxeBuilder().setLegacyMode().withOptions(options).analyze(driver);
        List<String> barriers = new ArrayList<>();
        for (Rule rule : results.getViolations()) {
            if (SERIOUS.contains(rule.getImpact())) {
                barriers.add(rule.getId() + ": " + rule.getNodes().get(0).getHtml());
            }
        }
        return barriers;
    }

    /** Errors that the browser told since the last look, but for refusals that a test asked for. */
    List<String> errors() {
        return Stream.concat(
                        driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                                .filter(each -> each.getLevel().intValue() >= Level.SEVERE.intValue())
                                .map(LogEntry::getMessage)
                                .filter(each -> !each.matches("(?s).*the server responded with a status of 4\\d\\d.*")),
                        Stream.empty())
                .toList();
    }

    void assertNoErrors() {
        assertThat(errors()).isEmpty();
    }

    @Override
    public void close() {
        driver.quit();
    }
}
